import { compose } from '@svc/adapters/compose.ts';
import { getCompiledRules } from '@svc/application/triage/get-compiled-rules.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose(
  'clock',
  'engines',
  'objects',
  'ruleArtifacts',
  'ruleCompiler',
  'rulePacks',
  'settings',
  'workflows',
);

export const getCompiledRulesRoute = route(
  operations.getCompiledRules,
  (actor, input) => getCompiledRules(ports, actor, input),
  // The same for ever: other rules have another digest.
  (bytes) => ({ bytes, headers: { 'cache-control': 'private, max-age=31536000, immutable', vary: 'Accept-Encoding' } }),
);

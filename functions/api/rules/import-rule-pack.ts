import { compose } from '@svc/adapters/compose.ts';
import { importRulePack } from '@svc/application/rules/import-rule-pack.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'log', 'objects', 'outbound', 'ruleArtifacts', 'ruleCompiler', 'rulePacks', 'uploads');

export const importRulePackRoute = route(
  operations.importRulePack,
  (actor, input) => importRulePack(ports, actor, input),
  ({ changed }) => ({ status: changed ? 201 : 200 }),
);

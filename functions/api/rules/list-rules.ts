import { compose } from '@svc/adapters/compose.ts';
import { listRules } from '@svc/application/rules/list-rules.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'findings', 'objects', 'ruleArtifacts', 'ruleCompiler', 'rulePacks');

export const listRulesRoute = route(operations.listRules, (actor, input) => listRules(ports, actor, input));

import { compose } from '@svc/adapters/compose.ts';
import { deleteRule } from '@svc/application/rules/delete-rule.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'log', 'objects', 'ruleArtifacts', 'ruleCompiler', 'rulePacks');

export const deleteRuleRoute = route(operations.deleteRule, (actor, input) => deleteRule(ports, actor, input));

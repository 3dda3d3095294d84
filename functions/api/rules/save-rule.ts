import { compose } from '@svc/adapters/compose.ts';
import { saveRule } from '@svc/application/rules/save-rule.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'log', 'objects', 'ruleArtifacts', 'ruleCompiler', 'rulePacks');

export const saveRuleRoute = route(operations.saveRule, (actor, input) => saveRule(ports, actor, input));

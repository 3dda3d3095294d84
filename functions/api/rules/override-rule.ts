import { compose } from '@svc/adapters/compose.ts';
import { overrideRule } from '@svc/application/rules/override-rule.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'objects', 'ruleArtifacts', 'ruleCompiler', 'rulePacks');

export const overrideRuleRoute = route(operations.overrideRule, (actor, input) => overrideRule(ports, actor, input));

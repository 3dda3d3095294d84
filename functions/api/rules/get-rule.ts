import { compose } from '@svc/adapters/compose.ts';
import { getRule } from '@svc/application/rules/get-rule.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'findings', 'objects', 'ruleArtifacts', 'ruleCompiler', 'rulePacks');

export const getRuleRoute = route(operations.getRule, (actor, input) => getRule(ports, actor, input));

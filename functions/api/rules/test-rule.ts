import { compose } from '@svc/adapters/compose.ts';
import { testRule } from '@svc/application/rules/test-rule.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('findings', 'jobViews', 'objects', 'ruleTester');

export const testRuleRoute = route(operations.testRule, (actor, input) => testRule(ports, actor, input));

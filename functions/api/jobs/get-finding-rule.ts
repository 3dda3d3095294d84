import { compose } from '@svc/adapters/compose.ts';
import { getFindingRule } from '@svc/application/jobs/get-finding-rule.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('findings');

export const getFindingRuleRoute = route(operations.getFindingRule, (actor, input) =>
  getFindingRule(ports, actor, input),
);

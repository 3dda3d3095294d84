import { compose } from '@svc/adapters/compose.ts';
import { changeRulePack } from '@svc/application/rules/change-rule-pack.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'rulePacks');

export const changeRulePackRoute = route(operations.changeRulePack, (actor, input) =>
  changeRulePack(ports, actor, input),
);

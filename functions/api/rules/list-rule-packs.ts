import { compose } from '@svc/adapters/compose.ts';
import { listRulePacks } from '@svc/application/rules/list-rule-packs.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'deployment', 'rulePacks');

export const listRulePacksRoute = route(operations.listRulePacks, () => listRulePacks(ports));

import { compose } from '@svc/adapters/compose.ts';
import { deleteRulePack } from '@svc/application/rules/delete-rule-pack.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('log', 'objects', 'rulePacks');

export const deleteRulePackRoute = route(operations.deleteRulePack, (actor, input) =>
  deleteRulePack(ports, actor, input),
);

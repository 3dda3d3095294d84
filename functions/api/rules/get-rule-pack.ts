import { compose } from '@svc/adapters/compose.ts';
import { getRulePack } from '@svc/application/rules/get-rule-pack.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'rulePacks');

export const getRulePackRoute = route(operations.getRulePack, (actor, input) => getRulePack(ports, actor, input));

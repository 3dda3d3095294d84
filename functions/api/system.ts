import { sharedHealth } from '@svc/application/system/get-health.ts';
import { getOpenApi } from '@svc/application/system/get-open-api.ts';
import type { Actor } from '@svc/domain';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type PortsOf, type TableOf } from '../route.ts';

/** Asked once for all who ask at the same time. */
let health: ReturnType<typeof sharedHealth> | null = null;

const table = {
  getHealth: presented(
    (ports: PortsOf<typeof sharedHealth>, actor: Actor) => (health ??= sharedHealth(ports))(actor),
    ({ status }) => ({ status: status === 'ok' ? 200 : 503 }),
  ),
  getOpenApi,
} satisfies TableOf<'system'>;

export const handler = areaHandler(areaPorts.system, table);

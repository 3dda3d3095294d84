import { sharedHealth } from '@svc/application/system/get-health.ts';
import { sharedMetrics } from '@svc/application/system/get-metrics.ts';
import { getOpenApi } from '@svc/application/system/get-open-api.ts';
import type { Actor } from '@svc/domain';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type PortsOf, type TableOf } from '../route.ts';

const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** Asked once for all who ask at the same time. */
let health: ReturnType<typeof sharedHealth> | null = null;
let metrics: ReturnType<typeof sharedMetrics> | null = null;

const table = {
  getHealth: presented(
    (ports: PortsOf<typeof sharedHealth>, actor: Actor) => (health ??= sharedHealth(ports))(actor),
    ({ status }) => ({ status: status === 'ok' ? 200 : 503 }),
  ),
  getMetrics: presented(
    (ports: PortsOf<typeof sharedMetrics>, actor: Actor, input: unknown, request) =>
      (metrics ??= sharedMetrics(ports))(actor, input, request),
    (bytes) => ({ headers: { 'content-type': openMetricsType }, bytes }),
  ),
  getOpenApi,
} satisfies TableOf<'system'>;

export const handler = areaHandler(areaPorts.system, table);

import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

type Health = OutputOf<typeof operations.getHealth>;
type HealthPorts = Pick<Ports, 'database' | 'deployment' | 'keyValue' | 'log' | 'objects'>;

/** How long an answer stands for those who ask next, since anybody may. */
const standsMs = 2000;

/** Whether the service and what it stands on work; `status` is `error` when anything does not. */
export async function getHealth(
  { database, deployment, keyValue, log, objects }: HealthPorts,
  _actor: Actor,
): Promise<Health> {
  const failed = (what: string) => (error: unknown) => {
    log.error(`health: ${what}`, { error });
    return 'error' as const;
  };
  const [databaseState, kv, storage, migrations] = await Promise.all([
    database.check().then(() => 'ok' as const, failed('database')),
    keyValue.check().then(() => 'ok' as const, failed('key-value store')),
    objects.check().then(() => 'ok' as const, failed('object store')),
    database.migrations().catch(failed('migrations')),
  ]);
  const well = databaseState === 'ok' && kv === 'ok' && storage === 'ok' && migrations === 'at_head';
  const version = deployment.version;
  return { status: well ? 'ok' : 'error', database: databaseState, kv, storage, migrations, version };
}

/** `getHealth` for many: what one has found out stands for two seconds (resolved-platform 16.1). */
export function sharedHealth(ports: HealthPorts & Pick<Ports, 'clock'>): (actor: Actor) => Promise<Health> {
  let last: { readonly at: number; readonly health: Promise<Health> } | null = null;
  return (actor) => {
    const now = ports.clock.now().getTime();
    if (!last || now - last.at >= standsMs) last = { at: now, health: getHealth(ports, actor) };
    return last.health;
  };
}

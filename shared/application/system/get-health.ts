import type { operations, OutputOf } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
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
    // What cannot be reached is no fault of ours, and is asked for again and again: no stack.
    if (isUnavailable(error)) log.warn(`health: ${what}`, { error: error.message });
    else log.error(`health: ${what}`, { error });
    return 'error' as const;
  };
  const [databaseState, kv, storage, migrations, hasRoom] = await Promise.all([
    database.check().then(() => 'ok' as const, failed('database')),
    keyValue.check().then(() => 'ok' as const, failed('key-value store')),
    objects.check().then(() => 'ok' as const, failed('object store')),
    // Who cannot be reached has said so above.
    database
      .migrations()
      .catch((error: unknown) => (isUnavailable(error) ? ('error' as const) : failed('migrations')(error))),
    objects.hasRoom().catch(() => true),
  ]);
  const well = databaseState === 'ok' && kv === 'ok' && storage === 'ok' && migrations === 'at_head';
  const version = deployment.version;
  const space = hasRoom ? {} : { space: 'low' as const };
  return { status: well ? 'ok' : 'error', database: databaseState, kv, storage, migrations, version, ...space };
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

function isUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'unavailable';
}

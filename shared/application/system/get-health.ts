import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** Whether the service and what it stands on work; `status` is `error` when anything does not. */
export async function getHealth(
  {
    database,
    deployment,
    keyValue,
    log,
    objects,
  }: Pick<Ports, 'database' | 'deployment' | 'keyValue' | 'log' | 'objects'>,
  _actor: Actor,
): Promise<OutputOf<typeof operations.getHealth>> {
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

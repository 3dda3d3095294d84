import { bytes, type ReadinessCheck } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { isHeld } from './sweep-store.ts';
import { seenBy } from './walk-store.ts';

/** Whether the daily sweep leaves what nobody owns, since it is more than killed processes leave. */
export async function checkUnowned({
  storageRecords,
}: Pick<Ports, 'storageRecords'>): Promise<readonly ReadinessCheck[]> {
  const [look, purge] = [await storageRecords.walk('look'), await storageRecords.walk('purge')];
  if (!look?.endedAt || !isHeld(look)) return [];
  if (purge?.endedAt && purge.endedAt > look.endedAt) return [];
  const { count, bytes: size } = look.found.unowned;
  return [
    {
      section: 'Resources',
      name: 'Objects that nobody owns',
      level: 'WARN',
      message: `Of ${seenBy(look)} stored objects, ${count} (${bytes(size)}) belong to no row of this database. That is more than killed processes leave, so the daily sweep removes none`,
      fix: 'See that database and store belong together; if they do, purge them on the page Storage, which shows them first',
    },
  ];
}

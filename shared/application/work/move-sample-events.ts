import { removeEventPack, storeEventPack } from '../analysis/store-event-pack.ts';
import type { Ports } from '../ports/ports.ts';
import type { StoredEvent } from '../report/new-finding.ts';

export type MovePorts = Pick<Ports, 'clock' | 'droppedObjects' | 'log' | 'objects' | 'results'>;

const batchSize = 200;
/** What is left after this waits for the next run. */
const mostMs = 240_000;

/**
 * Moves sample events out of the database into objects, and rules to where each is kept once: those of before there were
 * such, and what the store could not take when it was found. Whatever has been moved stays so when it ends half-way;
 * what is left is logged. Returns how many tasks and findings it has moved something of.
 */
export async function moveSampleEvents(ports: MovePorts): Promise<number> {
  const { clock, log, results } = ports;
  const startedAt = clock.now().getTime();
  let moved = 0;
  for (const step of [moveEvents, moveRuleSources]) {
    for (let count = batchSize; count > 0 && clock.now().getTime() - startedAt < mostMs;) {
      count = await step(ports);
      moved += count;
    }
  }
  if (moved > 0)
    log.info('sample events are being moved to the object store', { moved, left: await results.leftToMove() });
  return moved;
}

/** Of some tasks; how many. */
async function moveEvents(ports: MovePorts): Promise<number> {
  let moved = 0;
  for (const taskId of await ports.results.withEventsInRows(batchSize)) {
    const pack = await storeEventPack(ports, eventsOf(ports, taskId));
    if (pack === null) continue;
    if (await ports.results.moveEvents(taskId, pack)) moved += 1;
    else await removeEventPack(ports, pack);
  }
  return moved;
}

async function* eventsOf({ results }: MovePorts, taskId: number): AsyncGenerator<readonly StoredEvent[]> {
  for (let after = 0; ;) {
    const rows = await results.eventsInRows(taskId, { after, most: batchSize });
    yield* rows.map(({ events }) => events);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = last.findingId;
  }
}

function moveRuleSources({ results }: MovePorts): Promise<number> {
  return results.moveRuleSources(batchSize);
}

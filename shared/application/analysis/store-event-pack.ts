import type { Ports } from '../ports/ports.ts';
import { packEvents } from '../report/event-pack.ts';
import type { StoredEvent } from '../report/new-finding.ts';
import type { EventPack, EventPlace } from '../report/result-repository.ts';
import { removeObjects } from '../work/remove-dropped-objects.ts';

type PackPorts = Pick<Ports, 'clock' | 'droppedObjects' | 'log' | 'objects'>;

/** For so long an object may wait to be named by a row; then a sweep takes it for one whose process was killed. */
const unnamedMs = 86_400_000;

/**
 * Stores the sample events of findings as one object, before the transaction that names it; null where there are none.
 * Its key is noted as dropped from tomorrow on, which that transaction takes back.
 */
export async function storeEventPack(
  { clock, droppedObjects, objects }: PackPorts,
  findings: AsyncIterable<readonly StoredEvent[]> | Iterable<readonly StoredEvent[]>,
): Promise<EventPack | null> {
  const places: (EventPlace | null)[] = [];
  const members = packEvents(findings);
  const next = async (): Promise<Uint8Array | null> => {
    for (;;) {
      const { value, done } = await members.next();
      if (done === true) return null;
      places.push(value.place);
      if (value.place !== null) return value.member;
    }
  };
  const first = await next();
  if (first === null) return null;
  async function* content(member: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let one: Uint8Array | null = member; one !== null; one = await next()) yield one;
  }
  const sweptAt = new Date(clock.now().getTime() + unnamedMs);
  const { key, sizeBytes } = await objects.create('.gz', content(first), 'outputs', async (named) =>
    droppedObjects.note([named], sweptAt),
  );
  return { storageKey: key, sizeBytes, places };
}

/** Takes back a pack that no row names. */
export async function removeEventPack(ports: PackPorts, pack: EventPack | null): Promise<void> {
  if (pack !== null) await removeObjects(ports, [pack.storageKey]);
}

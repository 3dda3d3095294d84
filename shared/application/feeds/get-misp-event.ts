import type { InputOf, operations } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { indicatorsOf } from './find-indicators.ts';
import { feedPart, mispEvent } from './misp.ts';

/** An event of the feed with all its attributes (`UUID.json`). Throws `not_found`. */
export async function getMispEvent(
  ports: Pick<Ports, 'entities' | 'entityBlame' | 'mispFeed'>,
  viewer: Actor,
  { file }: InputOf<typeof operations.getMispEvent>,
): Promise<Uint8Array> {
  const part = (await ports.mispFeed.parts()).find((one) => `${feedPart(one).uuid}.json` === file);
  if (part === undefined) throw notFound('event');
  const found = await ports.entities.some(await ports.mispFeed.entitiesOf(part));
  const indicators = await indicatorsOf(ports, viewer, found);
  const at = new Date(`${part.day}T00:00:00Z`);
  const event = mispEvent({ ...feedPart(part), at, indicators, changedAt: part.lastSeenAt });
  return new TextEncoder().encode(JSON.stringify(event));
}

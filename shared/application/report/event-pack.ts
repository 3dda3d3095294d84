import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip } from 'node:zlib';
import type { ObjectReader } from '../ports/object-store.ts';
import type { StoredEvent } from './new-finding.ts';
import type { EventPlace } from './result-repository.ts';

/** The events of one finding, for a pack; nothing where there are none. */
export interface PackedEvents {
  readonly member: Uint8Array;
  readonly place: EventPlace | null;
}

const nothing = new Uint8Array();
const smallBytes = 16_384;

/**
 * Packs the sample events of findings, in this order: a member of a gzip file for each, which is read without the others,
 * with a line of JSON in it. All of them together are a file that `zcat` reads.
 */
export async function* packEvents(
  findings: AsyncIterable<readonly StoredEvent[]> | Iterable<readonly StoredEvent[]>,
): AsyncGenerator<PackedEvents> {
  let at = 0;
  for await (const events of findings) {
    if (events.length === 0) {
      yield { member: nothing, place: null };
      continue;
    }
    const member = await promisify(gzip)(`${JSON.stringify(events)}\n`);
    yield { member, place: { at, bytes: member.length } };
    at += member.length;
  }
}

/** The events at a place of a pack, as JSON. */
export async function eventsAt(pack: ObjectReader, place: EventPlace): Promise<string> {
  const member = await readAt(pack, place);
  // A thread for what is small would take longer than the work itself.
  return (place.bytes <= smallBytes ? gunzipSync(member) : await promisify(gunzip)(member)).toString();
}

/** The bytes at a place of a pack. */
export async function readAt(pack: ObjectReader, { at, bytes }: EventPlace): Promise<Buffer> {
  const read = Buffer.allocUnsafe(bytes);
  for (let done = 0; done < bytes;) {
    const count = await pack.read(at + done, read.subarray(done));
    if (count === 0) throw new Error('A pack of events is shorter than its index says');
    done += count;
  }
  return read;
}

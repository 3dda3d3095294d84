import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { feedPart, mispManifestEntry } from './misp.ts';

/** Which events the feed has, and when each was last added to, as MISP asks before it fetches any (`manifest.json`). */
export async function getMispManifest(
  { mispFeed }: Pick<Ports, 'mispFeed'>,
  _viewer: Actor,
  _asked: InputOf<typeof operations.getMispManifest>,
): Promise<OutputOf<typeof operations.getMispManifest>> {
  const parts = await mispFeed.parts();
  return Object.fromEntries(parts.map((part) => [feedPart(part).uuid, mispManifestEntry(part)]));
}

import type { InputOf, operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { feedPart } from './misp.ts';

/** The MD5 of each value with its event, by which MISP finds out what the feed has in common with it (`hashes.csv`). */
export async function listMispHashes(
  { mispFeed }: Pick<Ports, 'mispFeed'>,
  _viewer: Actor,
  _asked: InputOf<typeof operations.listMispHashes>,
): Promise<Uint8Array> {
  const parts = await mispFeed.digests();
  const lines = parts.map((part) => {
    const { uuid } = feedPart(part);
    return part.digests.map((digest) => `${digest},${uuid}\n`).join('');
  });
  return new TextEncoder().encode(lines.join(''));
}

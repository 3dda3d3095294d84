import { AppError } from '@svc/domain';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutboundError } from '../ports/outbound-http.ts';
import type { Ports } from '../ports/ports.ts';

/** Releases of code hosts lie behind one or two. */
const mostRedirects = 5;

/**
 * Fetches a pack into a file of this machine for as long as `use` takes. Every address on the way is
 * judged by the guard of the port. Throws `pack_refused` with what came back instead, and what `use` throws.
 */
export async function withFetchedPack<T>(
  ports: Pick<Ports, 'outbound'>,
  url: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-pack-'));
  try {
    const path = join(folder, 'pack');
    try {
      await fetchTo(ports, url, path);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new AppError('pack_refused', `The pack could not be fetched: ${error.message}`, { cause: error });
    }
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchTo({ outbound }: Pick<Ports, 'outbound'>, from: string, path: string): Promise<void> {
  let url = from;
  for (let step = 0; step <= mostRedirects; step++) {
    const next = await outbound.send(
      { purpose: 'rule_pack', method: 'GET', url },
      async ({ status, location, body }) => {
        if (location !== null) return location;
        if (status !== 200) throw refused(`${new URL(url).host} answered with status ${status}`);
        const file = await open(path, 'wx', 0o600);
        try {
          for await (const chunk of body) await file.write(chunk);
        } finally {
          await file.close();
        }
        return null;
      },
    );
    if (next === null) return;
    if (url.startsWith('https:') && !next.startsWith('https:')) {
      throw refused(`${new URL(url).host} leads to an address that is not https`);
    }
    url = next;
  }
  throw refused(`${new URL(from).host} leads from one address to the next without end`);
}

function refused(why: string): AppError {
  return new AppError('pack_refused', `The pack could not be fetched: ${why}`);
}

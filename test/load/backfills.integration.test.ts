import { bundleThread } from '@svc/engine/testing/bundle-thread.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { compare, fill } from './backfills-run.ts';

it('leaves the same when the process of a backfill is killed three times on its way', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-backfills-'));
  try {
    await bundleThread(
      'database-thread',
      new URL('../../shared/adapters/postgres/database-thread.ts', import.meta.url),
    );
    const program = await bundleThread('backfills-work', new URL('./backfills-work.ts', import.meta.url));
    const at = { place: join(folder, 'database'), program: fileURLToPath(program) };
    await fill(at, 350);
    // The first does more than a batch, so that the next one begins where one ended.
    const { size, whole, expected, found } = await compare(at, 'backfill_entities', () => [2, 1, 1]);
    expect(size).toBe(350);
    expect(whole.steps).toBeGreaterThan(3);
    expect(expected).toMatch(/^backfill_entities completed: [1-9]/);
    expect(found).toBe(expected);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 300_000);

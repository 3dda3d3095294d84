import { LocalObjectListing } from '@svc/adapters/local/object-listing.ts';
import { LocalObjectStore } from '@svc/adapters/local/object-store.ts';
import { makeServerDatabase, openServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { allOf } from '@svc/adapters/contract/object-listing.ts';
import { sweepStore } from '@svc/application/admin/storage/sweep-store.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { removeDroppedObjects } from '@svc/application/work/remove-dropped-objects.ts';
import { bundleThread } from '@svc/engine/testing/bundle-thread.ts';
import { sql } from 'drizzle-orm';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('finds all that processes left which were killed at any step between store and database, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-killed-steps-'));
  const url = await makeServerDatabase();
  const database = await openServerDatabase(url);
  const test = await openTestPorts({ database });
  await test.reset();
  const entry = fileURLToPath(
    await bundleThread('killed-at-step', new URL('../support/killed-at-step.ts', import.meta.url)),
  );
  const steps = await killAtEach(entry, url, folder);
  expect(steps).toBeGreaterThan(12);

  const listing = new LocalObjectListing(folder);
  const ports: Ports = { ...test.ports, objects: new LocalObjectStore(folder), objectListing: listing };
  const keys = async (): Promise<string[]> => (await allOf(listing)).map(({ key }) => key);
  const { rows } = (await database.orm.execute(sql`
    select storage_key as key from uploaded_files union all select storage_key from raw_outputs
    union all select storage_key from event_packs`)) as { rows: { key: string }[] };
  const owned = rows.map(({ key }) => key);
  test.advance(3 * 86_400);
  await removeDroppedObjects(ports);
  const left = await ports.storageRecords.unnamed(await keys());
  expect(left.length).toBeGreaterThan(0);
  expect(await readdir(join(folder, 'incoming'))).not.toEqual([]);

  expect(await sweepStore(ports)).toBeGreaterThan(left.length);
  expect((await keys()).sort()).toEqual(owned.sort());
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  console.info(
    `${steps} kills left ${left.length} objects that nobody owned, beside ${owned.length} that somebody did`,
  );

  await test.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
}, 900_000);

/** One process after the other, each killed a step later, until one comes to its end; how many were killed. */
async function killAtEach(entry: string, url: string, folder: string): Promise<number> {
  for (let step = 1; ; step += 1) {
    const child = spawn(process.execPath, [entry, url, folder, String(step)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (code === 0) return step - 1;
    expect([step, signal]).toEqual([step, 'SIGKILL']);
  }
}

// How fast each backfill goes over many jobs, on both databases, and whether one whose process is killed three times on
// the way leaves what an undisturbed one leaves.   [--jobs N] [--only pglite|postgres] [--kind NAME]… [--in FOLDER]
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres-server.ts';
import type { MeasuredKind } from './backfills-data.ts';
import { compare, fill, isStored, prepare, worked } from './backfills-run.ts';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '100000' },
    only: { type: 'string' },
    kind: { type: 'string', multiple: true },
    // Where databases stay, for another run to begin with what this one has made.
    in: { type: 'string' },
  },
});
const jobs = Number(values.jobs);
/** Processes are killed after each quarter of all steps. */
const quarters = (steps: number): number[] => Array.from({ length: 3 }, () => Math.max(1, Math.floor(steps / 4)));
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const kinds: readonly MeasuredKind[] = [
  'backfill_entities',
  'backfill_finding_entity_links',
  'backfill_relationships',
  'backfill_entity_attributes',
  'backfill_builtin_labels',
  'backfill_analytics',
  'backfill_similarity',
  'cleanup_old_job_outputs',
];

async function bench(name: string, place: string, filled: string): Promise<boolean> {
  const at = { place, program: join(dirname(process.argv[1]!), 'backfills-work.mjs') };
  const from = performance.now();
  const isThere = existsSync(filled);
  if (!isThere) {
    await fill(at, jobs);
    await writeFile(filled, '');
  }
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  print(`\n${name}: ${jobs} jobs ${isThere ? 'were there' : `made in ${seconds} s`}`);
  // Others go over what it makes.
  if (values.kind?.includes('backfill_entities') === false && !(await isStored(at))) {
    await prepare(at, 'backfill_entities');
    await worked(at);
  }
  let isWell = true;
  for (const kind of kinds.filter((one) => values.kind === undefined || values.kind.includes(one))) {
    const { size, whole, expected, found } = await compare(at, kind, quarters);
    const isSame = found === expected && expected.includes('completed');
    isWell &&= isSame;
    const rate = (size / whole.seconds).toFixed(0);
    const cpu = ((whole.cpu * 1000) / size).toFixed(2);
    print(
      `  ${kind.padEnd(30)} ${String(size).padStart(8)} in ${whole.seconds.toFixed(0).padStart(5)} s  ${rate.padStart(6)}/s  ${cpu.padStart(6)} ms of processor each  killed three times: ${isSame ? 'the same ✓' : `✗\n    ${expected}\n    ${found}`}`,
    );
  }
  return isWell;
}

/** A folder for a database of so many jobs; what a run has left that ended before all were made goes. */
async function placeFor(name: string): Promise<{ folder: string; filled: string }> {
  const place = join(folder, `${name}-${jobs}`);
  const filled = join(place, 'filled');
  if (!existsSync(filled)) await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  return { folder: join(place, 'database'), filled };
}

const folder = values.in === undefined ? await mkdtemp(join(tmpdir(), 'svc-bench-backfills-')) : resolve(values.in);
let isWell = true;
try {
  if (values.only !== 'postgres') {
    const place = await placeFor('pglite');
    isWell = await bench('PGlite', place.folder, place.filled);
  }
  if (values.only !== 'pglite') {
    const place = await placeFor('postgres');
    const server = await startPostgres(['-c', 'jit=off'], place.folder);
    try {
      isWell = (await bench('PostgreSQL', server.url, place.filled)) && isWell;
    } finally {
      await server.remove();
    }
  }
} finally {
  if (values.in === undefined) await rm(folder, { recursive: true, force: true });
}
process.exit(isWell ? 0 : 1);

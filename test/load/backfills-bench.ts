// How fast each backfill goes over many jobs, on both databases, and whether one whose process is killed three times on
// the way leaves what an undisturbed one leaves.   [--jobs N] [--only pglite|postgres] [--kind NAME]…
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres-server.ts';
import type { MeasuredKind } from './backfills-data.ts';
import { compare, fill, prepare, worked } from './backfills-run.ts';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '100000' },
    only: { type: 'string' },
    kind: { type: 'string', multiple: true },
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

async function bench(name: string, place: string): Promise<boolean> {
  const at = { place, program: join(dirname(process.argv[1]!), 'backfills-work.mjs') };
  const from = performance.now();
  await fill(at, jobs);
  print(`\n${name}: ${jobs} jobs made in ${((performance.now() - from) / 1000).toFixed(0)} s`);
  // Others go over what it makes.
  if (values.kind?.includes('backfill_entities') === false) {
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

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-backfills-'));
let isWell = true;
try {
  if (values.only !== 'postgres') isWell = await bench('PGlite', join(folder, 'database'));
  if (values.only !== 'pglite') {
    const server = await startPostgres(['-c', 'jit=off']);
    isWell = (await bench('PostgreSQL', server.url)) && isWell;
    await server.remove();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(isWell ? 0 : 1);

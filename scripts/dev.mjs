// npm run dev: the service on the embedded database, and its pages as they are written, on http://localhost:5173.
// A change of the server's code builds and restarts it; Vite brings a change of a page to the browser itself.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { createServer } = await import('vite');

/** What the server is built from. */
const folders = ['shared', 'config', 'functions', 'containers'];
/** Where frontend/vite.config.ts sends requests to. */
const port = '8000';
/** An editor writes several files one after the other. */
const settleMs = 100;

/** The running server; null where it is not to run, or could not be built. */
let server = null;
let isEnding = false;
let timer;
/** Builds and restarts one after the other. */
let turn = Promise.resolve();

const soon = () => {
  clearTimeout(timer);
  timer = setTimeout(() => (turn = turn.then(restart)), settleMs);
};
const watchers = folders.map((folder) =>
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (name && !/node_modules|\.test\.ts$|\.md$/.test(name)) soon();
  }),
);
await restart();
const pages = await createServer({ configFile: join(root, 'frontend/vite.config.ts'), server: { strictPort: true } });
await pages.listen();
pages.printUrls();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);

/** Builds first, so that the earlier server answers meanwhile, and goes on where the new code does not build. */
async function restart() {
  if (isEnding || !(await isBuilt()) || isEnding) return;
  await stop();
  const started = spawn(process.execPath, [join(root, 'dist/server/main.mjs')], {
    cwd: root,
    stdio: 'inherit',
    // Ctrl-C reaches all processes of a terminal; this one says when the server ends.
    detached: process.platform !== 'win32',
    env: { ...process.env, PORT: port },
  });
  server = started;
  started.on('exit', (status) => {
    if (server !== started) return;
    server = null;
    if (!isEnding) process.stderr.write(`The server ended with ${status}; it starts again on the next change.\n`);
  });
}

function isBuilt() {
  const build = spawn(process.execPath, ['scripts/build.mjs', '--only', 'server'], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve) => build.on('close', (status) => resolve(status === 0)));
}

async function stop() {
  if (!server) return;
  const stopped = server;
  server = null;
  const exited = new Promise((resolve) => stopped.once('exit', resolve));
  stopped.kill('SIGTERM');
  await exited;
}

async function end() {
  if (isEnding) return;
  isEnding = true;
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  await turn;
  await Promise.all([pages.close(), stop()]);
  process.exit();
}

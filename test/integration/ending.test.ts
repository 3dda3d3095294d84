import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ending = fileURLToPath(new URL('../../scripts/ending.mjs', import.meta.url));
const sleeper = 'console.log(process.pid); setInterval(() => undefined, 1000)';
/** A build that has started a program and the bundler, and is at work with both. */
const build = `
  import { context } from 'esbuild';
  import { runInBuild, withEnding } from ${JSON.stringify(ending)};
  import { stop } from 'esbuild';
  await withEnding(async () => {
    const bundling = context({ stdin: { contents: '' }, plugins: [{ name: 'wait', setup: () => new Promise(() => undefined) }] });
    await Promise.all([bundling, runInBuild(process.execPath, ['-e', ${JSON.stringify(sleeper)}], { stdio: 'inherit' })]);
  }, stop);
`;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a build that gets %s takes what it has started with it', async (signal, status) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', build], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  expect(isRunning(pid)).toBe(true);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([status, null]);
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});

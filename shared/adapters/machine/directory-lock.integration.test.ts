import { bundleThread } from '@svc/engine/testing/bundle-thread.ts';
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'svc-locks-'));
const path = join(folder, 'data.lock');
const program = fileURLToPath(await bundleThread('lock-taker', new URL('../testing/lock-taker.ts', import.meta.url)));
beforeEach(() => rm(path, { recursive: true, force: true }));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Arguments of `unshare`: process number 1 of a new namespace, then all namespaces of a container. */
const container = ['--pid', '--fork', '--mount-proc', '--kill-child'];
const wholeContainer = [...container, '--mount', '--net', '--uts', '--ipc'];
const mayUnshare = spawnSync('unshare', [...wholeContainer, 'true']).status === 0;
if (!mayUnshare && process.env['CI'])
  throw new Error('this machine may not make namespaces, which the lock is tested in');
if (!mayUnshare) console.warn('not tested: the lock between namespaces, which unshare may not make here');

interface Taker {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly said: string;
  errors(): string;
}

/** Starts a process that takes the lock, and waits for what it says. */
async function taker(unshare: readonly string[] = [], at = path): Promise<Taker> {
  const command = [...(unshare.length > 0 ? ['unshare', ...unshare] : []), process.execPath, program, at];
  const child = spawn(command[0]!, command.slice(1), { stdio: 'pipe' });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const [said] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, said, errors: () => errors };
}

async function release({ child }: Taker): Promise<void> {
  child.stdin.end();
  if (child.exitCode === null) await once(child, 'exit');
}

/** Kills the process itself; the `unshare` around it ends when that is gone. */
async function kill({ child }: Taker): Promise<void> {
  const within = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  process.kill(within === '' ? child.pid! : Number(within), 'SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

describe.skipIf(!mayUnshare)('between processes that do not see each other', () => {
  it.each([
    ['with process numbers of their own', container],
    ['in two containers', wholeContainer],
  ])('goes to one, %s, until it is killed', async (_how, unshare) => {
    const first = await taker(unshare);
    expect(first.said).toBe('locked by 1');
    for (const other of [unshare, container, []]) {
      const refused = await taker(other);
      expect(refused.said).toMatch(/^refused: Another process \(1\) uses this data directory; stop it first\. /);
      await release(refused);
    }
    await kill(first);
    const second = await taker(unshare);
    expect(second.said).toBe('locked by 1');
    // The kernel knows that nobody listens, so there was no wait.
    expect(second.errors()).toBe('');
    await release(second);
    expect(existsSync(path)).toBe(false);
  });

  it('goes to one of many containers that find it stale', async () => {
    await kill(await taker(container));
    const all = await Promise.all(Array.from({ length: 6 }, () => taker(container)));
    expect(all.filter(({ said }) => said === 'locked by 1')).toHaveLength(1);
    expect(all.filter(({ said }) => said.startsWith('refused: Another process (1)'))).toHaveLength(5);
    for (const one of all) await release(one);
  });
});

it('is kept by a process that is stopped, and free as soon as it is killed', async () => {
  const first = await taker();
  first.child.kill('SIGSTOP');
  expect((await taker()).said).toMatch(/^refused: /);
  await kill(first);
  const second = await taker();
  expect([second.said, second.errors()]).toEqual([`locked by ${second.child.pid}`, '']);
  await release(second);
});

it('works in a folder whose name is too long for the address of a socket', async () => {
  const at = join(mkdtempSync(join(folder, 'long-'.repeat(30))), 'lock');
  const first = await taker([], at);
  expect((await taker([], at)).said).toMatch(/^refused: /);
  await kill(first);
  const second = await taker([], at);
  expect([second.said, second.errors()]).toEqual([`locked by ${second.child.pid}`, '']);
  await release(second);
});

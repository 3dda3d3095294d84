import { mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand, type Command, type CommandLimits } from './run-command.ts';
import { endOrphans, membersOf } from './run-members.ts';

const root = mkdtempSync(join(tmpdir(), 'svc-commands-'));
let folder: string;
let runs = 0;

beforeEach(async () => {
  folder = join(root, String((runs += 1)));
  await mkdir(folder);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const mib = 1_048_576;
const roomy: CommandLimits = { logBytes: 10_000, folderBytes: 1000 * mib, memoryBytes: 8000 * mib, seconds: 600 };

/** A program that does what a script of Node.js says. */
function node(script: string, over: Partial<CommandLimits> = {}, more: Partial<Command> = {}): Command {
  const limits = { ...roomy, ...over };
  return {
    program: process.execPath,
    args: ['-e', script],
    cwd: folder,
    env: {},
    folder,
    printsTo: null,
    limits,
    ...more,
  };
}

/** Tells the test, by a file, that it has come that far. */
const tells = (name: string): string =>
  `require('node:fs').writeFileSync(${JSON.stringify(join(root, name))}, String(process.pid));`;

async function told(name: string): Promise<number> {
  for (;;) {
    const pid = Number(await readFile(join(root, name), 'utf8').catch(() => ''));
    if (pid > 0) return pid;
    await sleep(20);
  }
}

const going = new AbortController().signal;
/** Number of no process, so that only what carries the mark of the run is told. */
const left = (): Promise<unknown[]> => membersOf(-1, folder);

it('tells how a command ended and what it printed, and gives it nothing but what is listed', async () => {
  const script = `console.log(JSON.stringify(process.env)); console.error('a warning'); process.exitCode = 3`;
  const end = await runCommand(node(script, {}, { env: { LANG: 'C.UTF-8' } }), going);
  expect(end).toMatchObject({ exitCode: 3, signal: null, cutBy: null });
  expect(end.log).toContain('a warning');
  expect(JSON.parse(end.log.split('\n').find((line) => line.startsWith('{')) ?? '')).toEqual({
    LANG: 'C.UTF-8',
    SVC_ENGINE_RUN: folder,
  });
});

it('passes arguments as they are, without a shell', async () => {
  const args = ['-e', 'console.log(process.argv.at(-1))', '$(id); `id` && "x" * \n'];
  expect((await runCommand(node('', {}, { args }), going)).log).toContain(args[2]);
});

it('puts what is printed into a file where that is wanted', async () => {
  const printsTo = join(folder, 'printed');
  const end = await runCommand(node(`console.log('found'); console.error('said')`, {}, { printsTo }), going);
  expect(await readFile(printsTo, 'utf8')).toBe('found\n');
  expect(end.log).toBe('said\n');
});

it('keeps beginning and end of a flood, and waits for nobody who does not read it', async () => {
  const script = `process.stdout.write('BEGIN'); const line = 'x'.repeat(65536);
    for (let n = 0; n < 800; n += 1) process.stdout.write(line);`;
  const { exitCode, log } = await runCommand(node(script, { logBytes: 1000 }), going);
  expect(exitCode).toBe(0);
  expect(Buffer.byteLength(log)).toBeLessThanOrEqual(1000);
  expect(log).toMatch(/^BEGIN[^]*5\d{7} bytes left out[^]*$/);
});

it('ends a command that hangs and does not listen to SIGTERM, with all that it has started', async () => {
  const cancel = new AbortController();
  const inner = `process.on('SIGTERM', () => 0); ${tells('inner')} setInterval(() => 0, 1000)`;
  const script = `process.on('SIGTERM', () => 0);
    require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { detached: true, stdio: 'inherit' });
    setInterval(() => 0, 1000)`;
  const run = runCommand(node(script), cancel.signal);
  await told('inner');
  cancel.abort(new Error('cancelled'));
  await expect(run).rejects.toThrow('cancelled');
  expect(await left()).toEqual([]);
});

describe.runIf(process.platform === 'linux')('on Linux', () => {
  it('ends what has left the group of a command that has come to its end', async () => {
    const inner = `${tells('stray')} setInterval(() => 0, 1000)`;
    const script = `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { detached: true, stdio: 'inherit' });
      child.unref(); const wait = setInterval(() => require('node:fs').existsSync(${JSON.stringify(join(root, 'stray'))}) && clearInterval(wait), 20)`;
    expect(await runCommand(node(script), going)).toMatchObject({ exitCode: 0 });
    expect(await left()).toEqual([]);
  });

  it('ends one that takes more memory than it may', async () => {
    const script = `const all = []; setInterval(() => all.push(Buffer.alloc(${16 * mib}, 1)), 20)`;
    expect(await runCommand(node(script, { memoryBytes: 300 * mib }), going)).toMatchObject({ cutBy: 'memory' });
    expect(await left()).toEqual([]);
  });

  it('ends what a worker has left that is no more', async () => {
    const cancel = new AbortController();
    const run = runCommand(node(`${tells('orphan')} setInterval(() => 0, 1000)`), cancel.signal);
    const ended = run.then(({ signal }) => signal);
    await told('orphan');
    await endOrphans((path) => path === folder);
    expect(await left()).toHaveLength(1);
    await rm(folder, { recursive: true });
    await endOrphans((path) => path === folder);
    expect(await ended).toBe('SIGKILL');
  });
});

it('ends one that writes more than it may', async () => {
  const script = `const file = require('node:fs').openSync('much', 'w'); const piece = Buffer.alloc(${mib});
    setInterval(() => require('node:fs').writeSync(file, piece), 5)`;
  expect(await runCommand(node(script, { folderBytes: 8 * mib }), going)).toMatchObject({ cutBy: 'size' });
});

it('ends one at its time limit', async () => {
  expect(await runCommand(node(`setInterval(() => 0, 1000)`, { seconds: 1 }), going)).toMatchObject({ cutBy: 'time' });
});

it('says which signal ended it', async () => {
  const end = await runCommand(node(`process.kill(process.pid, 'SIGKILL')`), going);
  expect(end).toMatchObject({ exitCode: null, signal: 'SIGKILL', cutBy: null });
});

it('rejects with why a program cannot be started', async () => {
  await expect(runCommand(node('', {}, { program: join(root, 'none') }), going)).rejects.toMatchObject({
    code: 'ENOENT',
  });
  const text = join(root, 'text');
  await writeFile(text, 'no program', { mode: 0o600 });
  await expect(runCommand(node('', {}, { program: text }), going)).rejects.toMatchObject({ code: 'EACCES' });
});

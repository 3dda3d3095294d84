import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Report } from './report.ts';

const launcher = fileURLToPath(new URL('./bin/svc.mjs', import.meta.url));
const sample = fileURLToPath(new URL('../../config/samples/intrusion-sysmon.evtx', import.meta.url));

it('the launcher builds what is missing and passes arguments, output and exit code on', () => {
  const run = spawnSync(process.execPath, [launcher, 'analyze', sample, '--format', 'json'], { encoding: 'utf8' });
  expect(run.stderr.replace(/^Building cli …\n/, '')).toBe('');
  expect(run.status).toBe(0);
  expect((JSON.parse(run.stdout) as Report).findings.length).toBeGreaterThan(20);
  expect(spawnSync(process.execPath, [launcher, 'analyze']).status).toBe(2);
});

it('keeps what Node.js made of the program, whatever becomes of that', () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-code-'));
  const folder = join(home, 'svc', 'code');
  const output = (command = 'analyze'): string => {
    const env = { ...process.env, XDG_CACHE_HOME: home };
    const { stdout, stderr, status } = spawnSync(process.execPath, [launcher, command, sample, '--format', 'csv'], {
      encoding: 'utf8',
      env,
    });
    if (command === 'analyze') expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    return stdout;
  };
  try {
    output('unknown');
    expect(existsSync(folder)).toBe(false);
    const first = output();
    const [kept, ...more] = readdirSync(folder);
    expect(more).toEqual([]);
    const file = join(folder, kept!);
    const code = readFileSync(file);
    expect(code.length).toBeGreaterThan(100_000);
    expect(output()).toBe(first);
    expect(readFileSync(file).equals(code)).toBe(true);
    const altered = Buffer.from(code).fill(7, 50_000, 60_000);
    for (const damaged of [altered, code.subarray(0, 1000), Buffer.alloc(0)]) {
      writeFileSync(file, damaged);
      expect(output()).toBe(first);
      expect(readFileSync(file).length).toBeGreaterThan(100_000);
    }
  } finally {
    rmSync(home, { recursive: true });
  }
});

it('a reader that closes its end early is no failure', async () => {
  const child = spawn(process.execPath, [
    launcher,
    'analyze',
    ...Array<string>(20).fill(sample),
    '--format',
    'jsonl',
    '--max-events',
    '0',
  ]);
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = (await once(child, 'exit')) as [number | null];
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** Starts the program with a temporary folder of its own, and interrupts it when `isReady`. */
async function interrupted(argv: readonly string[], isReady: (folder: string, out: string) => boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-interrupted-'));
  try {
    const child = spawn(process.execPath, [launcher, 'analyze', ...argv], {
      cwd: folder,
      env: { ...process.env, TMPDIR: folder },
    });
    let out = '';
    child.stdout.on('data', (text: Buffer) => (out += text.toString()));
    while (!isReady(folder, out)) await new Promise((resolve) => setTimeout(resolve, 5));
    const sent = performance.now();
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, out, left: readdirSync(folder), tookMs: performance.now() - sent };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('an interruption ends an analysis soon, with what was found so far', async () => {
  const many = Array<string>(3000).fill(sample);
  const { code, out, tookMs } = await interrupted([...many, '--format', 'jsonl'], (_, text) => text.length > 0);
  expect(code).toBe(130);
  const lines = out.trimEnd().split('\n');
  expect(lines.length).toBeLessThan(many.length);
  for (const line of lines) expect((JSON.parse(line) as Report).findings.length).toBeGreaterThan(20);
  // Generous, for machines that do other things at the same time.
  expect(tookMs).toBeLessThan(15_000);
});

it('an interruption leaves no part of a file behind', async () => {
  const many = Array<string>(3000).fill(sample);
  const writing = await interrupted([...many, '--format', 'csv', '-o', 'report.csv', '-q'], (folder) =>
    readdirSync(folder).some((name) => name.endsWith('.part')),
  );
  expect(writing).toMatchObject({ code: 130, out: '', left: [] });
  const waiting = await interrupted(['-'], (folder) =>
    readdirSync(folder).some((name) => name.startsWith('svc-stdin')),
  );
  expect(waiting).toMatchObject({ code: 130, left: [] });
});

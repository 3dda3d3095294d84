import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

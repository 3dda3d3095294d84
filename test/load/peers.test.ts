import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findPeer } from './peers.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-peers-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(...path: readonly string[]): string {
  const made = join(folder, ...path);
  mkdirSync(dirname(made), { recursive: true });
  writeFileSync(made, '');
  chmodSync(made, 0o755);
  return made;
}

const program = file('chainsaw', 'target', 'release', 'chainsaw');
file('chainsaw', 'mappings', 'sigma-event-logs-all.yml');
const script = file('zircolite', 'zircolite.py');
file('zircolite', 'config', 'config.yaml');
const bare = file('elsewhere', 'hayabusa');

it('finds a program on the PATH, and what it brings along above it', () => {
  expect(findPeer('chainsaw', { PATH: ['/nowhere', dirname(program)].join(delimiter) })).toEqual({
    name: 'chainsaw',
    command: [program],
    home: join(folder, 'chainsaw'),
  });
});

it('takes a command of several words from the variable of its name', () => {
  expect(findPeer('zircolite', { PATH: '', ZIRCOLITE: `python3 ${script}` })).toEqual({
    name: 'zircolite',
    command: ['python3', script],
    home: join(folder, 'zircolite'),
  });
});

it('needs to know where its rules are, and is told when they lie elsewhere', () => {
  const environment = { PATH: dirname(bare) };
  expect(findPeer('hayabusa', environment)).toBeNull();
  expect(findPeer('hayabusa', { ...environment, HAYABUSA_HOME: '/opt/hayabusa' })?.home).toBe('/opt/hayabusa');
});

it('says when there is none', () => {
  expect(findPeer('evtx_dump', { PATH: '/nowhere' })).toBeNull();
});

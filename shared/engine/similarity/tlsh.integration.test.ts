import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../../../test/support/programs.ts';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { TlshHasher } from './tlsh.ts';
import { tlshDistance } from './tlsh-distance.ts';

const program = `
import json, sys, tlsh
paths = json.load(sys.stdin)
digests = [tlsh.hash(open(path, 'rb').read()) for path in paths]
found = [digest for digest in digests if digest != 'TNULL']
pairs = [(found[i], found[(i * 7 + 3) % len(found)]) for i in range(len(found))]
json.dump({'digests': digests, 'pairs': [(a, b, tlsh.diff(a, b)) for a, b in pairs]}, sys.stdout)
`;

interface Reference {
  readonly digests: readonly string[];
  readonly pairs: readonly (readonly [string, string, number])[];
}

function reference(paths: readonly string[]): Reference {
  const options = { input: JSON.stringify(paths), encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { stdout, stderr } = spawnSync(process.env['TLSH_PYTHON_PATH']!, ['-c', program], options);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Reference;
}

function compare(paths: readonly string[]): void {
  const { digests, pairs } = reference(paths);
  const own = paths.map((path) => new TlshHasher().update(readFileSync(path)).digest() ?? 'TNULL');
  expect(own).toEqual(digests);
  expect(pairs.length).toBeGreaterThan(10);
  expect(pairs.map(([one, other]) => [one, other, tlshDistance(one, other).total])).toEqual(pairs);
}

describeWith('tlsh', 'beside the reference implementation', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-tlsh-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('digests random content of any length and variety alike', () => {
    const paths = Array.from({ length: 600 }, (_, at) => {
      const length = Math.floor(Math.random() * [60, 200, 4000, 300_000][at % 4]!);
      const values = [2, 4, 30, 100, 256][at % 5]!;
      const path = join(folder, String(at));
      writeFileSync(
        path,
        Uint8Array.from({ length }, () => Math.random() * values),
      );
      return path;
    });
    compare(paths);
  });

  describeWithSharedData('on real logs', () => {
    it('digests them alike', () => {
      const folders = ['evtx', 'logs'].map((name) => sharedData(name));
      const entries = folders.flatMap((path) => readdirSync(path, { withFileTypes: true, recursive: true }));
      const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      compare(paths);
    });
  });
});

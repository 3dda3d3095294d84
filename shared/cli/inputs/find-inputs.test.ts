import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findInputs as find, type FoundInputs } from './find-inputs.ts';
import { hasWildcard, nameMatcher } from './glob.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-inputs-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of [
  'a.evtx',
  'b.log',
  '.hidden.evtx',
  'one/c.evtx',
  'one/two/d.evtx',
  'one/two/e[1].log',
  'x.evtx/f',
]) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), name);
}
symlinkSync(folder, join(folder, 'one', 'circle'));
symlinkSync(join(folder, 'b.log'), join(folder, 'one', 'link.log'));

function findInputs(paths: readonly string[]): Promise<FoundInputs> {
  return find(paths, () => Promise.reject(new Error('no standard input was named')));
}

async function found(...paths: string[]): Promise<string[]> {
  const { inputs } = await findInputs(paths.map((path) => join(folder, path)));
  return inputs.map(({ path }) => relative(folder, path));
}

describe('findInputs', () => {
  it.each([
    ['a.evtx', ['a.evtx']],
    [
      '',
      [
        '.hidden.evtx',
        'a.evtx',
        'b.log',
        'one/c.evtx',
        'one/link.log',
        'one/two/d.evtx',
        'one/two/e[1].log',
        'x.evtx/f',
      ],
    ],
    ['one/two', ['one/two/d.evtx', 'one/two/e[1].log']],
    ['*.evtx', ['a.evtx', 'x.evtx/f']],
    ['?.{log,evtx}', ['a.evtx', 'b.log', 'x.evtx/f']],
    ['[!a].*', ['b.log', 'x.evtx/f']],
    ['**/*.evtx', ['a.evtx', 'x.evtx/f', 'one/c.evtx', 'one/two/d.evtx']],
    ['*/two/*', ['one/two/d.evtx', 'one/two/e[1].log']],
    ['one/**', ['one/c.evtx', 'one/link.log', 'one/two/d.evtx', 'one/two/e[1].log']],
    ['one/two/e[1].log', ['one/two/e[1].log']],
    ['.h*', ['.hidden.evtx']],
    ['**/two', ['one/two/d.evtx', 'one/two/e[1].log']],
  ])('finds what %s stands for', async (path, expected) => {
    expect(await found(path)).toEqual(expected);
  });

  it('tells files that are named from those that are found, and one from a list', async () => {
    const one = await findInputs([join(folder, 'a.evtx')]);
    expect(one).toMatchObject({ isList: false, inputs: [{ isNamed: true, bytes: 6, modified: expect.any(Number) }] });
    expect(await findInputs([join(folder, 'one/two/d*')])).toMatchObject({
      isList: true,
      inputs: [{ isNamed: false }],
    });
    expect(await findInputs([join(folder, 'one')])).toMatchObject({ isList: true });
  });

  it('goes on after what is not there', async () => {
    mkdirSync(join(folder, 'one/empty'));
    const paths = ['none', 'one/empty', 'n*', 'a.evtx'].map((path) => join(folder, path));
    const { inputs, failures, isList } = await findInputs(paths);
    expect(failures.map(({ message }) => message)).toEqual([
      expect.stringContaining('none: there is no such file'),
      expect.stringContaining('empty: there is no file in it'),
      expect.stringContaining('n*: no file matches'),
    ]);
    expect({ inputs: inputs.length, isList }).toEqual({ inputs: 1, isList: true });
  });
});

describe('patterns', () => {
  it.each([
    ['*', 'a.b', true],
    ['*', '.a', false],
    ['a+b.(c)', 'a+b.(c)', true],
    ['a.c', 'abc', false],
    ['a[b-d]', 'ac', true],
    ['a[!b-d]', 'ac', false],
    ['{a,b?}.x', 'bz.x', true],
    ['{a,b?}.x', 'b.x', false],
    ['*a*a*a*a*b', 'a'.repeat(60), false],
  ])('%s and %s: %s', (pattern, name, expected) => {
    expect(nameMatcher(pattern, '')(name)).toBe(expected);
  });

  it('are told from names', () => {
    expect(['a', 'a.b', 'a{b}', 'a[]'].filter(hasWildcard)).toEqual([]);
    expect(['a*', '?', '[a]', '{a,b}'].filter(hasWildcard)).toHaveLength(4);
  });
});

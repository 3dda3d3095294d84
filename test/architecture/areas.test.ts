import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { areas } from '../../shared/contracts/areas.ts';

const pages = fileURLToPath(new URL('../../frontend/src', import.meta.url));
const sources = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
const read = (path: string): string => readFileSync(join(pages, path), 'utf8');

/** What a file of the pages imports of the other files, now or later, by their paths from `frontend/src`. */
function importsOf(path: string): string[] {
  return [...read(path).matchAll(/(?:from |import |import\()'(\.[^']+)'/g)].map((match) =>
    relative(pages, join(pages, dirname(path), match[1]!)),
  );
}

/** The part of the pages that a file is in: a feature, or another folder. */
function partOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first === 'features' ? `features/${second}` : first;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => name);

describe('the layers of the service', () => {
  // What is of no area: how parts tell each other, how work is done later, and the world outside.
  it.each([
    ['shared/contracts', []],
    ['shared/application', ['analysis', 'happenings', 'ports', 'work']],
  ])('have in %s a folder for each area, and few others', (layer, others) => {
    expect(foldersIn(layer).sort()).toEqual([...areas, ...others].sort());
  });

  it('keep the tables of an area in its folder', () => {
    const others = new Set(['happenings', 'migrations', 'own', 'schema', 'search', 'work']);
    const known = new Set<string>(areas);
    const folders = foldersIn('shared/adapters/postgres').filter((name) => !others.has(name));
    expect(folders.filter((name) => !known.has(name))).toEqual([]);
    expect(folders.length).toBeGreaterThan(5);
  });
});

describe('the pages', () => {
  it('have a folder for each area, and no other', () => {
    expect(readdirSync(join(pages, 'features')).sort()).toEqual([...areas].sort());
  });

  it.each([...areas])('show %s without another feature and without what puts features together', (area) => {
    const own = sources.filter((path) => partOf(path) === `features/${area}`);
    const known = new Set(['api', 'paths.ts', 'ui', `features/${area}`]);
    const imported = own.flatMap((path) => importsOf(path).map((to) => [path, to] as const));
    expect(imported.filter(([, to]) => !known.has(partOf(to)))).toEqual([]);
    expect(imported).not.toEqual([]);
  });

  it.each(['api', 'ui'])('have in %s what knows no feature and no page', (folder) => {
    const parts = sources.filter((path) => partOf(path) === folder).flatMap((path) => importsOf(path).map(partOf));
    expect([...new Set(parts)].filter((part) => part !== folder && part !== 'paths.ts')).toEqual([]);
  });

  it('ask operations under keys that `queryKey` makes of their names', () => {
    const literal = sources
      .filter((path) => !path.endsWith('.test.ts'))
      .flatMap((path) => [...read(path).matchAll(/queryKey: \['([\w-]+)'/g)].map((match) => match[1]!));
    // What comes with another answer, what is compiled in the page, and what is gathered there from several operations.
    expect(literal.sort()).toEqual(['banner', 'handover', 'rule-check']);
  });
});

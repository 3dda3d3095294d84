import { operations, type Operation } from '@svc/contracts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const api = fileURLToPath(new URL('../../functions/api', import.meta.url));
const areas = readdirSync(api);
const all: [string, Operation][] = Object.entries(operations);
const read = (path: string): string => readFileSync(join(api, path), 'utf8');
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Names of the operations that a source routes. */
function routed(source: string): string[] {
  return [...source.matchAll(/\broute\(\s*operations\.(\w+)/g)].map((match) => match[1]!);
}

/** Function files that an area's handler is made of: imported, so used, as the compiler sees to it. */
function filesOf(area: string): string[] {
  return [...read(`${area}/index.ts`).matchAll(/import \{ \w+Route \} from '\.\/([\w-]+)\.ts'/g)].map(
    (match) => match[1]!,
  );
}

describe('operations', () => {
  it.each(all)('%s has its file, which routes it and nothing else', (name, { area }) => {
    expect(routed(read(`${area}/${kebab(name)}.ts`))).toEqual([name]);
  });

  it.each(all)('%s is routed by its own area alone', (name, { area }) => {
    expect(areas.filter((each) => filesOf(each).includes(kebab(name)))).toEqual([area]);
  });

  it('are all that the functions consist of', () => {
    const files = areas.flatMap((area) =>
      readdirSync(join(api, area)).filter((file) => file !== 'index.ts' && !file.endsWith('.test.ts')),
    );
    expect(files.sort()).toEqual(all.map(([name]) => `${kebab(name)}.ts`).sort());
  });

  it('have addresses of their own', () => {
    const addresses = all.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function locked(folder: string): Readonly<Record<string, Locked>> {
  const path = new URL(`../../${folder}package-lock.json`, import.meta.url);
  return (JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Locked> }).packages;
}

/** Whether Node.js would find it from there: beside the one that asks, then further up. */
function finds(packages: Readonly<Record<string, Locked>>, from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}

/** What packages ask for, on whatever platform, and the lock does not name: npm ci refuses to go on without it. */
function lacking(packages: Readonly<Record<string, Locked>>): string[] {
  return Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !finds(packages, path, name)),
  );
}

const installed = (packages: Readonly<Record<string, Locked>>) =>
  Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true);

describe.each(['', 'infra/'])('%spackage-lock.json', (folder) => {
  const packages = locked(folder);

  it('names every package of every platform', () => {
    expect(lacking(packages)).toEqual([]);
    expect(installed(packages).filter(([, { os }]) => os !== undefined).length).toBeGreaterThan(20);
  });

  it('has the hash of each', () => {
    const without = installed(packages).filter(([, { integrity, inBundle }]) => !integrity && inBundle !== true);
    expect(without.map(([path]) => path)).toEqual([]);
  });
});

it('only the lock of the check’s tools may lack builds of other platforms', () => {
  const names = lacking(locked('tools/'));
  const tools = /^@?(oxfmt|oxlint|oxlint-tsgolint)\//;
  expect(names.filter((name) => !tools.test(name))).toEqual([]);
  expect(installed(locked('')).filter(([path]) => /node_modules\/@?ox(fmt|lint)/.test(path))).toEqual([]);
});

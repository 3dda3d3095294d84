import { operations, type Operation } from '@svc/contracts';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const all: [string, Operation][] = Object.entries(operations);
const areas = [...new Set(all.map(([, { area }]) => area))].sort();

describe('operations', () => {
  it('have one function per area, which bundles are made of', () => {
    const files = readdirSync(folder('functions/api')).filter((file) => !file.endsWith('.test.ts'));
    expect(files.sort()).toEqual(areas.map((area) => `${area}.ts`));
    const bundles = JSON.parse(readFileSync(folder('config/functions.json'), 'utf8')) as Record<string, string>;
    const ofAreas = Object.entries(bundles).filter(([name]) => name.startsWith('api-'));
    expect(Object.fromEntries(ofAreas)).toEqual(
      Object.fromEntries(areas.map((area) => [`api-${area}`, `functions/api/${area}.ts`])),
    );
  });

  it('have addresses of their own', () => {
    const addresses = all.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});

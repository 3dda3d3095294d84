import { operations, type Area, type Operation } from '@svc/contracts';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { areaCapabilities, capabilitiesOfPort, type Capability } from '../constructs/area-capabilities.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const areas = Object.keys(areaCapabilities) as Area[];
const table: readonly Operation[] = Object.values(operations);

/** Ports that a file composes, and those of the files beside it that it imports, by file. */
function composedBy(path: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  const name = relative(root, path);
  if (seen.has(name)) return seen;
  const source = readFileSync(path, 'utf8');
  const calls = [...source.matchAll(/\bcompose\(([^)]*)\)/g)].flatMap(([, names]) => [...names!.matchAll(/'(\w+)'/g)]);
  seen.set(
    name,
    calls.map(([, port]) => port!),
  );
  for (const [, specifier] of source.matchAll(/^import (?!type\b)[^;]*? from '(\.[^']+)'/gm)) {
    const imported = join(dirname(path), specifier!);
    if (existsSync(imported)) composedBy(imported, seen);
  }
  return seen;
}

/** What one file's use of a port needs, where that is less than the port can do. */
function needs(area: Area, file: string, port: string): readonly Capability[] {
  const listed = capabilitiesOfPort[port];
  if (!listed) throw new Error(`say in capabilitiesOfPort what the port ${port} does on AWS (${file} composes it)`);
  if (port !== 'objects') return listed;
  // The health report writes a probe and nothing else.
  if (file === 'functions/api/system/get-health.ts') return ['bucket-health'];
  // The middleware touches files where there are operations with files.
  const isWithoutFiles = !table.some((operation) => operation.area === area && (operation.file || operation.raw));
  return file === 'functions/http-handler.ts' && isWithoutFiles ? [] : listed;
}

it.each(areas)('%s may do what its operations need, and nothing else', (area) => {
  const files = composedBy(join(root, `functions/api/${area}/index.ts`));
  const needed = [...files].flatMap(([file, ports]) => ports.flatMap((port) => needs(area, file, port)));
  expect([...areaCapabilities[area]].sort()).toEqual([...new Set(needed)].sort());
});

it('finds the ports of routes, of shared files and of the middleware', () => {
  const files = composedBy(join(root, 'functions/api/submissions/index.ts'));
  expect(files.get('functions/accept-ports.ts')).toContain('tasks');
  expect(files.get('functions/http-handler.ts')).toContain('sessions');
  expect(files.get('functions/rerun-ports.ts')).toContain('launcher');
  expect(files.get('functions/api/submissions/get-submission.ts')).toContain('receipts');
});

it('has a function for every area of the operations', () => {
  expect([...new Set(table.map(({ area }) => area))].sort()).toEqual([...areas].sort());
});

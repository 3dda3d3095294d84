import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

const shared = join(process.cwd(), '../shared/data');
const trees = ['rules', 'rules-emerging-threats', 'rules-threat-hunting', 'rules-compliance'];

/** The SigmaHQ folder that SIGMA_RULES names, or the one of the shared data; null when there is none. */
export function sigmaFolder(): string | null {
  const folder = process.env.SIGMA_RULES ?? join(shared, 'sigma-rules');
  return existsSync(folder) ? folder : null;
}

/**
 * Copies the rules for Windows into a folder, so that every program gets the same ones.
 * @param category only those of that log source category.
 * @returns how many they are.
 */
export function copyWindowsRules(from: string, to: string, category?: string): number {
  rmSync(to, { recursive: true, force: true });
  let copied = 0;
  const folders = trees.map((tree) => join(from, tree)).filter(existsSync);
  for (const path of (folders.length > 0 ? folders : [from]).flatMap(rulesBelow)) {
    const rule = readFileSync(path, 'utf8');
    if (!/^\s+product:\s*windows\s*$/m.test(rule)) continue;
    if (category !== undefined && !new RegExp(`^\\s+category:\\s*${category}\\s*$`, 'm').test(rule)) continue;
    const target = join(to, relative(from, path));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
    copied++;
  }
  return copied;
}

function rulesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Unpacked copies of the benchmark logs of the shared data with those names, all of them where none is given. */
export function benchLogs(to: string, ...names: readonly string[]): string[] {
  const packed = join(shared, 'evtx/bench');
  if (!existsSync(packed)) return [];
  mkdirSync(to, { recursive: true });
  return readdirSync(packed)
    .filter((name) => name.endsWith('.evtx.gz') && (names.length === 0 || names.includes(name.split('.')[0]!)))
    .map((name) => {
      const path = join(to, `bench-${name.slice(0, -'.gz'.length)}`);
      if (!existsSync(path)) writeFileSync(path, gunzipSync(readFileSync(join(packed, name))));
      return path;
    });
}

/** Copies of the logs of the shared data, none where it is absent. */
export function sharedLogs(to: string): string[] {
  const from = join(shared, 'evtx');
  if (!existsSync(from)) return [];
  mkdirSync(to, { recursive: true });
  return readdirSync(from)
    .filter((name) => name.endsWith('.evtx'))
    .map((name) => {
      const path = join(to, name);
      if (!existsSync(path)) copyFileSync(join(from, name), path);
      return path;
    });
}

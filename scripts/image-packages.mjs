// Writes dist/images: a package.json and its lock for what the images' bundles leave outside, as installed here.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** Packages that must stay as installed: they load files of their own (wasm, native code, threads). */
export const unbundled = ['@electric-sql/pglite', '@node-rs/argon2', 'pino'];

/** Lets `npm ci` of an image install exactly the lock file's versions of these packages and no others. */
export function writeImagePackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const versions = unbundled.map((name) => [name, packages[`node_modules/${name}`].version]);
  const manifest = { name: 'image', version: '0.0.0', private: true, dependencies: Object.fromEntries(versions) };
  const kept = Object.fromEntries([...closure(packages)].map((path) => [path, packages[path]]));
  const lock = { name: 'image', version: '0.0.0', lockfileVersion: 3, packages: { '': manifest, ...kept } };
  const folder = join(root, 'dist/images');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
}

/** Paths in the lock file of the packages and of all that they need, on any machine. */
function closure(packages, from = '', names = unbundled, found = new Set()) {
  for (const name of names) {
    const path = resolved(packages, from, name);
    if (path === null || found.has(path)) continue;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = packages[path];
    closure(packages, path, [...Object.keys(dependencies), ...Object.keys(optionalDependencies)], found);
  }
  return found;
}

/** As Node.js looks for it: beside the one that asks, then further up. */
export function resolved(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (at === '') return null;
  }
}

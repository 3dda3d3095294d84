// What of others a bundle holds: the packages, for the SBOMs and the check of licences, and their licences beside it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** Files of the repository that are others' work, with the words that have to go with them. */
const files = [
  {
    name: 'MITRE ATT&CK (names of techniques and their tactics)',
    path: 'shared/domain/attack/attack.json',
    licence: 'shared/domain/attack/LICENSE-ATTACK.txt',
  },
];

/** Modules that came to anything in what esbuild has written. */
export function modulesIn({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}

/** In the order of their characters' numbers, which is the same on every machine. */
export function sorted(texts) {
  return [...texts].sort((a, b) => (a < b ? -1 : Number(a > b)));
}

/** Places in the lock file of the packages that modules belong to. */
export function packagesOf(modules) {
  const places = modules.flatMap((path) => path.match(/node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/) ?? []);
  return sorted(new Set(places));
}

/** Writes dist/packages/<part>.json, and the licences into each of the folders. */
export function noteThirdParty(part, folder, modules) {
  const packages = packagesOf(modules);
  mkdirSync(join(root, 'dist/packages'), { recursive: true });
  writeFileSync(join(root, `dist/packages/${part}.json`), `${JSON.stringify(packages, null, 2)}\n`);
  const own = files.filter(({ path }) => modules.some((module) => module.endsWith(path)));
  writeFileSync(join(folder, 'THIRD_PARTY_LICENSES.txt'), licencesOf(packages, own));
}

/** One text for a bundle; what several packages share stands there once. */
function licencesOf(packages, own) {
  const texts = new Map();
  const others = own.map(({ name, licence }) => [name, read(licence)]);
  for (const [name, text] of [...packages.map(licenceOf), ...others])
    texts.set(text, [...(texts.get(text) ?? []), name]);
  const parts = [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  const head = 'This program contains work of others, under the licences that follow.\n';
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(place) {
  const { name, version, license, author } = JSON.parse(read(`${place}/package.json`));
  const names = readdirSync(join(root, place)).filter((file) => /^(licen[cs]e|notice|copying)(\W|$)/i.test(file));
  const by = typeof author === 'string' ? author : (author?.name ?? 'its authors');
  const text = sorted(names).map((file) => read(`${place}/${file}`).trim());
  return [
    `${name} ${version}`,
    text.length > 0 ? text.join('\n\n') : `${license}, by ${by}; it brings no text of its own.`,
  ];
}

function read(path) {
  return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
}

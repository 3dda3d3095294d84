import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const json = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly license?: string }>>;
}
interface Bom {
  readonly components: readonly { readonly name: string; readonly purl: string; readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const lock = json('package-lock.json') as Lock;

/** Places in the lock file of all packages that leave the house: in bundles, or beside them. */
function shipped(): string[] {
  const lists = readdirSync(join(root, 'dist/packages')).filter((name) => name !== 'web-modules.json');
  const bundled = lists.flatMap((name) => json(`dist/packages/${name}`) as string[]);
  const beside = Object.keys((json('dist/images/package-lock.json') as Lock).packages).filter((place) => place !== '');
  return [...new Set([...bundled, ...beside])].sort();
}

describe('what ships of others', () => {
  it('has licences that are on the list', () => {
    const { allowed } = json('scripts/licences.json') as { allowed: readonly string[] };
    const places = shipped();
    expect(places).toEqual(expect.arrayContaining(['node_modules/zod', 'node_modules/react', 'node_modules/pino']));
    const others = places.filter((place) => !allowed.includes(lock.packages[place]?.license ?? 'none'));
    expect(others.map((place) => `${place}: ${lock.packages[place]?.license}`)).toEqual([]);
  });

  it.each([
    ['server', 'dist/server', ['undici', 'zod', 'drizzle-orm', '@aws-sdk/client-s3']],
    ['worker', 'dist/worker', ['undici', 'zod', 'drizzle-orm']],
    ['cli', 'dist/cli', ['js-yaml', 're2js', 'fflate']],
    // What only its workers and style sheets have is in it, too.
    ['web', 'dist/web', ['react', '@mantine/core', '@noble/hashes', 're2js', 'MITRE ATT&CK']],
    ['function-api-auth', 'dist/functions/api-auth', ['@middy/core', 'jose', 'zod']],
  ])('brings the licences of %s with it', (part, folder, expected) => {
    const text = readFileSync(join(root, folder, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
    for (const name of expected) expect(text).toMatch(new RegExp(`^${name} `, 'm'));
    for (const place of json(`dist/packages/${part}.json`) as string[]) {
      const { version } = lock.packages[place]!;
      expect(text).toContain(`${place.slice(place.lastIndexOf('node_modules/') + 13)} ${version}\n`);
    }
    expect(text).toContain('Permission is hereby granted');
  });
});

describe('bills of materials', () => {
  const names = ['release', 'gateway', 'worker', 'functions'] as const;
  const paths = names.map((name) => `dist/sbom/${name}.cdx.json`);
  let texts: readonly string[] = [];
  const make = () => {
    execFileSync(process.execPath, ['scripts/sbom.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    return paths.map((path) => readFileSync(join(root, path), 'utf8'));
  };
  const bomOf = (name: (typeof names)[number]) => JSON.parse(texts[names.indexOf(name)]!) as Bom;
  // All is built first where it is not yet.
  beforeAll(() => {
    texts = make();
  }, 300_000);

  it('are valid by the schema of CycloneDX 1.6', () => {
    const schemas = 'node_modules/@cyclonedx/cyclonedx-library/res/schema';
    const ajv = new Ajv({ strict: false, validateFormats: true });
    formats.default(ajv);
    ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
    for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
      const file = `${name}.SNAPSHOT.schema.json`;
      ajv.addSchema(json(`${schemas}/${file}`) as object, `http://cyclonedx.org/schema/${file}`);
    }
    const validate = ajv.compile(json(`${schemas}/bom-1.6.SNAPSHOT.schema.json`) as object);
    for (const text of texts) {
      validate(JSON.parse(text));
      expect(validate.errors ?? []).toEqual([]);
    }
    // The schema does refuse what is none.
    expect(validate({ ...(JSON.parse(texts[0]!) as object), components: [{ type: 'library' }] })).toBe(false);
  });

  it('are the same bytes each time', () => {
    expect(make()).toEqual(texts);
  });

  it('name all that ships and nothing else', () => {
    const all = new Set(names.flatMap((name) => bomOf(name).components.map(({ purl }) => decodeURIComponent(purl))));
    const expected = shipped().map(
      (place) => `pkg:npm/${place.slice(place.lastIndexOf('node_modules/') + 13)}@${lock.packages[place]!.version}`,
    );
    const base = [...all].filter((purl) => purl.startsWith('pkg:docker/'));
    expect(base).toEqual([expect.stringMatching(/^pkg:docker\/node@24\./)]);
    expect([...all].filter((purl) => !base.includes(purl)).sort()).toEqual([...new Set(expected)].sort());
  });

  it('say of the images only what runs in them', () => {
    const inWorker = bomOf('worker').components.map(({ name }) => name);
    expect(inWorker).toContain('argon2-linux-arm64-gnu');
    expect(inWorker).not.toContain('argon2-darwin-arm64');
    expect(inWorker).not.toContain('react');
    expect(bomOf('release').components.map(({ name }) => name)).toContain('argon2-darwin-arm64');
  });

  it('lead from the product to each package', () => {
    for (const name of names) {
      const { components, dependencies } = bomOf(name);
      const needs = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
      const reached = new Set<string>();
      const visit = (ref: string) => {
        if (reached.has(ref)) return;
        reached.add(ref);
        for (const next of needs.get(ref) ?? []) visit(next);
      };
      visit(dependencies[0]!.ref);
      expect(components.map((each) => each['bom-ref']).filter((ref) => !reached.has(ref))).toEqual([]);
    }
  });
});

// npm run sbom: what the release and the images are made of, as CycloneDX 1.6 in dist/sbom. The same sources give
// the same bytes.   npm run sbom -- release gateway worker functions
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolved } from './image-packages.mjs';
import { ensureInstalled, fail, root } from './install.mjs';
import { revision } from './revision.mjs';
import { sorted } from './third-party.mjs';

const json = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Of each: the bundles in it, whether packages lie beside them, and the image that it stands on. */
const products = {
  release: { bundles: () => ['server', 'worker', 'cli', 'web'], hasPackages: true },
  gateway: { bundles: () => ['server', 'web'], hasPackages: true, image: 'containers/gateway/Dockerfile' },
  worker: { bundles: () => ['worker'], hasPackages: true, image: 'containers/worker/Dockerfile' },
  functions: {
    bundles: () =>
      readdirSync(join(root, 'dist/packages')).flatMap((name) => name.match(/^(function-.*)\.json$/)?.[1] ?? []),
    native: '@node-rs/argon2',
  },
};

/** The bill of materials of one of them, as text. */
export function sbomOf(product) {
  const { bundles, hasPackages, image, native } = products[product];
  const { packages } = json('package-lock.json');
  const places = new Set(bundles().flatMap((name) => json(`dist/packages/${name}.json`)));
  for (const place of Object.keys(json('dist/images/package-lock.json').packages)) {
    const isHere = hasPackages || (native && place.includes(native));
    if (place !== '' && isHere && (product === 'release' || runsOnLinux(packages[place]))) places.add(place);
  }
  const { name, version, license, description } = json('package.json');
  const base = image && baseOf(image);
  const self = {
    type: image ? 'container' : 'application',
    'bom-ref': `${name}-${product}@${version}`,
    name: `${name}-${product}`,
    version,
    description,
    licenses: [{ license: { id: license } }],
  };
  const content = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp: revision().time, component: self },
    components: [...sorted(places).map((place) => component(place, packages[place])), ...(base ? [base] : [])],
    dependencies: dependencies(self, packages, places, base),
    compositions: [
      { aggregate: 'complete', assemblies: [self['bom-ref']] },
      // Node.js's image has to list its Debian packages itself.
      ...(base ? [{ aggregate: 'unknown', assemblies: [base['bom-ref']] }] : []),
    ],
  };
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const uuid = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  const { bomFormat, specVersion, ...rest } = content;
  return `${JSON.stringify({ bomFormat, specVersion, serialNumber: `urn:uuid:${uuid.join('-')}`, ...rest }, null, 2)}\n`;
}

/** Images and functions run on Linux with glibc, on either processor. */
function runsOnLinux({ os, cpu, libc }) {
  return takes(os, 'linux') && takes(cpu, 'x64', 'arm64') && takes(libc, 'glibc');
}

function takes(list, ...ours) {
  return !list || ours.some((each) => list.includes(each));
}

function component(place, { version, integrity, license, optional }) {
  const [, scope, name] = nameAt(place).match(/^(?:(@[^/]+)\/)?(.+)$/);
  const [algorithm, sum] = integrity.split('-');
  return {
    type: 'library',
    'bom-ref': refOf(place, version),
    ...(scope ? { group: scope } : {}),
    name,
    version,
    scope: optional ? 'optional' : 'required',
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(sum, 'base64').toString('hex') }],
    licenses: / (OR|AND|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }],
    purl: `pkg:npm/${scope ? `${encodeURIComponent(scope)}/` : ''}${name}@${version}`,
  };
}

const nameAt = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
const refOf = (place, version) => `${place.replaceAll('node_modules/', '')}@${version}`;

function baseOf(dockerfile) {
  const [, name, tag] = readFileSync(join(root, dockerfile), 'utf8').match(/^ARG NODE=([^:\s]+):(\S+)/m);
  return { type: 'container', 'bom-ref': `${name}:${tag}`, name, version: tag, purl: `pkg:docker/${name}@${tag}` };
}

/** Who needs whom: the product what its workspaces name, packages what they find from where they lie. */
function dependencies(self, packages, places, base) {
  const refs = (from, { dependencies: required = {}, optionalDependencies = {} }) =>
    Object.keys({ ...required, ...optionalDependencies })
      .map((name) => resolved(packages, from, name))
      .filter((place) => places.has(place))
      .map((place) => refOf(place, packages[place].version));
  const workspaces = Object.entries(packages).filter(([place]) => !place.includes('node_modules/'));
  const own = workspaces.flatMap(([, workspace]) => refs('', { dependencies: { ...workspace.dependencies } }));
  return [
    { ref: self['bom-ref'], dependsOn: unique([...own, ...(base ? [base['bom-ref']] : [])]) },
    ...sorted(places).map((place) => {
      const entry = packages[place];
      return { ref: refOf(place, entry.version), dependsOn: unique(refs(place, entry)) };
    }),
    ...(base ? [{ ref: base['bom-ref'] }] : []),
  ];
}

const unique = (list) => sorted(new Set(list));

/** Parts of the build that a product's list needs. */
export const partsOf = (product) =>
  product === 'functions' ? ['functions', 'images'] : [...products[product].bundles(), 'images'];

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const asked = process.argv.slice(2);
  const names = asked.length > 0 ? asked : Object.keys(products);
  if (names.some((name) => !Object.hasOwn(products, name)))
    fail(`npm run sbom takes ${Object.keys(products).join(', ')}`);
  ensureInstalled();
  const { ensureBuilt } = await import('./build.mjs');
  await ensureBuilt(...new Set(names.flatMap(partsOf)));
  mkdirSync(join(root, 'dist/sbom'), { recursive: true });
  for (const name of names) {
    writeFileSync(join(root, `dist/sbom/${name}.cdx.json`), sbomOf(name));
    process.stdout.write(`dist/sbom/${name}.cdx.json\n`);
  }
}

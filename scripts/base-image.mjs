// The image that our Dockerfiles begin with, made on this machine from Debian's packages and npm's builds of Node.js:
// tests build the product's images on it where no registry of images can be asked.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

const [, name, version, suite] = /^ARG NODE=(node:([\d.]+)-(\w+)-slim)$/m.exec(
  readFileSync(join(root, 'containers/worker/Dockerfile'), 'utf8'),
);
const nodePackage = `node-linux-${process.arch}`;
const nodeFolder = `.build/node-${version}`;

/** Where Node.js of the images lies once `npm` was run with `installsNode`. */
export const nodeOfImages = join(root, nodeFolder, 'node_modules', nodePackage, 'bin/node');
export const installsNode = [
  'install',
  '--no-save',
  `--prefix=${nodeFolder}`,
  '--loglevel=error',
  `${nodePackage}@${version}`,
  // The one that this version of Node.js is published with is a part of no package.
  'npm@11.19.1',
];

export const baseImage = { folder: join(root, '.build/images'), file: `${name.replace(':', '-')}.tar` };

/** What runs and makes containers, as Debian calls it, in packages of the same names. */
export const containerTools = ['podman', 'runc', 'mmdebstrap'];

/** A command that is run beside what npm has installed; `$1` is the image. */
const inImage = (line) => `--customize-hook=cd '${join(root, nodeFolder, 'node_modules')}' && ${line}`;

/** Arguments of `mmdebstrap`: Debian with Node.js, npm and the account `node`, less what nobody reads there. */
export function makesBaseImage(file) {
  const unread = ['doc', 'info', 'locale', 'man'].map((one) => `--dpkgopt=path-exclude=/usr/share/${one}/*`);
  return [
    '--quiet',
    '--mode=root',
    '--variant=essential',
    '--include=libstdc++6,passwd',
    '--dpkgopt=force-unsafe-io',
    ...unread,
    '--customize-hook=chroot "$1" useradd --create-home --user-group --uid 1000 --shell /bin/bash node',
    inImage(`install -D ${nodePackage}/bin/node "$1/usr/local/bin/node"`),
    inImage('mkdir "$1/usr/local/lib/node_modules" && cp -r npm "$1/usr/local/lib/node_modules/npm"'),
    inImage('ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"'),
    suite,
    file,
    ...mirrors(),
  ];
}

/** Where this machine gets Debian's packages. */
function mirrors() {
  const asked = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', `Codename: ${suite}`];
  const { stdout } = spawnSync('apt-get', asked, { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).slice(0, 1);
}

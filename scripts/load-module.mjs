// Loads a TypeScript module of the repository for the scripts, by way of a bundle.
import { build } from 'esbuild';
import { root } from './install.mjs';

/** What the module at this path exports. */
export async function loadModule(path) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

// Writes the sample logs of config/samples anew from test/samples.   node scripts/make-samples.mjs
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './install.mjs';

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['test/samples/samples.ts'],
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
});
const bundle = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`;
const { sampleFiles } = await import(bundle);
for (const [name, bytes] of sampleFiles()) {
  writeFileSync(join(root, 'config/samples', name), bytes);
  process.stdout.write(`${name}: ${bytes.length} bytes\n`);
}

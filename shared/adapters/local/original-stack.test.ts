import { build, type BuildOptions } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { originalStack } from './original-stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-stack-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const source = `
export function failing(): never {
  const reason: string = 'no luck';
  throw new Error(reason);
}
`;

/** As a process prints it that reads no maps by itself. */
function stackOf(bundle: string): string {
  const url = pathToFileURL(join(folder, bundle)).href;
  const program = `import(${JSON.stringify(url)}).then((it) => it.failing()).catch((error) => console.log(error.stack))`;
  return execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', env: {} });
}

it('names the places of the sources where a map lies beside the bundle', async () => {
  await writeFile(join(folder, 'failing.ts'), source);
  const entryPoints = [join(folder, 'failing.ts')];
  const outExtension = { '.js': '.mjs' };
  const common: BuildOptions = { entryPoints, outExtension, outdir: folder, format: 'esm', minify: true };
  await build({ ...common, sourcemap: 'linked' });
  const stack = stackOf('failing.mjs');
  expect(stack).toContain('failing.mjs:1:');
  expect(originalStack(stack)).toMatch(/^Error: no luck\n {4}at .*failing\.ts:4:9\b/);
  await build({ ...common, entryNames: '[name]-bare' });
  const bare = stackOf('failing-bare.mjs');
  expect(originalStack(bare)).toBe(bare);
});

import { App, Stack } from 'aws-cdk-lib';
import { FargateTaskDefinition } from 'aws-cdk-lib/aws-ecs';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { imageOf } from '../constructs/service-image.ts';

const outdir = mkdtempSync(join(tmpdir(), 'svc-assets-'));
afterAll(() => rmSync(outdir, { recursive: true }));

/** The paths of the repository that a Dockerfile copies. */
function copiedInto(name: string): string[] {
  const file = fileURLToPath(new URL(`../../containers/${name}/Dockerfile`, import.meta.url));
  const lines = readFileSync(file, 'utf8').split('\n');
  const own = lines.filter((line) => line.startsWith('COPY ') && !line.startsWith('COPY --from='));
  return own.flatMap((line) => line.split(/\s+/).slice(1, -1));
}

it.each(['gateway', 'worker'] as const)(
  'hands the builder what the image of the %s copies, and little else',
  async (name) => {
    const app = new App({ context: cdk.context, outdir: join(outdir, name) });
    const stack = new Stack(app, 'Images');
    new FargateTaskDefinition(stack, 'Task').addContainer(name, { image: imageOf(name) });
    const { directory, artifacts } = app.synth();
    const context = join(directory, readdirSync(directory).find((entry) => entry.startsWith('asset.')) ?? '');
    const needed = [...copiedInto(name), `containers/${name}/Dockerfile`, 'config/sigma', '.dockerignore'];
    expect(needed.filter((path) => !existsSync(join(context, path)))).toEqual([]);
    const files = readdirSync(context, { recursive: true }).map(String);
    expect(files.filter((path) => /node_modules|\.ts$|^infra|^frontend|^\.git\b/.test(path))).toEqual([]);
    expect(existsSync(join(context, name === 'worker' ? 'dist/server' : 'dist/worker'))).toBe(false);
    expect(artifacts.length).toBeGreaterThan(0);
  },
);

import { App, Stack } from 'aws-cdk-lib';
import { FargateTaskDefinition } from 'aws-cdk-lib/aws-ecs';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readImage } from '../../test/support/image.ts';
import cdk from '../../cdk.json' with { type: 'json' };
import { imageOf } from '../constructs/service-image.ts';

const outdir = mkdtempSync(join(tmpdir(), 'svc-assets-'));
afterAll(() => rmSync(outdir, { recursive: true }));

it.each(['gateway', 'worker'] as const)(
  'hands the builder what the image of the %s copies, and little else',
  async (name) => {
    const app = new App({ context: cdk.context, outdir: join(outdir, name) });
    const stack = new Stack(app, 'Images');
    new FargateTaskDefinition(stack, 'Task').addContainer(name, { image: imageOf(name) });
    const { directory, artifacts } = app.synth();
    const context = join(directory, readdirSync(directory).find((entry) => entry.startsWith('asset.')) ?? '');
    const { copies, packageSources } = await readImage(name);
    const sources = copies.flatMap(({ from, source }) => (from === null ? [source] : []));
    const needed = [...sources, ...packageSources, `containers/${name}/Dockerfile`, 'config/sigma', '.dockerignore'];
    expect(needed.filter((path) => !existsSync(join(context, path)))).toEqual([]);
    const files = readdirSync(context, { recursive: true }).map(String);
    expect(files.filter((path) => /node_modules|\.ts$|^infra|^frontend|^\.git\b/.test(path))).toEqual([]);
    expect(existsSync(join(context, name === 'worker' ? 'dist/server' : 'dist/worker'))).toBe(false);
    expect(artifacts.length).toBeGreaterThan(0);
  },
);

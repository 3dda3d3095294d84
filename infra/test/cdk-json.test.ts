import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import infra from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const repository = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { bin: Record<string, string> };
const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as { packages: object };

/** What `npx cdk` runs in the repository (npm exec: a bin of the package itself comes before any other). */
function npxCdk(...args: string[]): string {
  return spawnSync(process.execPath, [repository.bin['cdk']!, ...args], { cwd: root, encoding: 'utf8' }).stdout;
}

describe('npx cdk in the top folder', () => {
  it('is the CDK that infra pins, and not the older package that the registry has under that name', () => {
    const [version] = npxCdk('--version').split(' ');
    expect(version).toBe(infra.devDependencies['aws-cdk']);
  });

  it('makes what it deploys by itself, into the folder that is no part of the repository', () => {
    expect(cdk.app).toBe('node scripts/cdk-app.mjs');
    expect(cdk.output).toBe('infra/cdk.out');
  });

  it('leaves the CDK out of what the service itself installs', () => {
    expect(Object.keys(packages).filter((name) => /node_modules\/(aws-cdk|aws-cdk-lib|cdk-nag)$/.test(name))).toEqual(
      [],
    );
  });
});

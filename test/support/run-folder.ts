import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** No run takes as long; one that was killed leaves its folder. */
const abandonedMs = 86_400_000;

/**
 * Makes a folder before all tests of a run and removes it after them. In it are compiled rules (`SVC_RULE_CACHE`) and
 * bundled threads (`SVC_TEST_RUN`, shared/engine/testing/bundle-thread.ts), which each process would else make anew.
 * There is none in watch mode, where the sources of both may change.
 */
export function setup({ vitest }: TestProject): (() => void) | undefined {
  if (vitest.config.watch) return undefined;
  // Inside node_modules, so that packages left out of a bundle are found from there.
  const runs = join(projectRoot(), 'node_modules/.cache/svc-runs');
  mkdirSync(runs, { recursive: true });
  for (const path of readdirSync(runs).map((name) => join(runs, name))) {
    const began = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - began > abandonedMs) rmSync(path, { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(runs, 'run-'));
  // Some tests start what is bundled as another account.
  chmodSync(folder, 0o755);
  process.env['SVC_RULE_CACHE'] = join(folder, 'rules');
  process.env['SVC_TEST_RUN'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

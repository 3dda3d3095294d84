import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/**
 * Before all tests of a run: a folder where their processes keep compiled rules (`SVC_RULE_CACHE`), since each call of
 * the command line would compile the shipped ones anew. It goes with the run; there is none while tests run again and
 * again, as what compiles may change in between.
 */
export function setup({ vitest }: TestProject): (() => void) | undefined {
  if (vitest.config.watch) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'svc-rules-'));
  process.env['SVC_RULE_CACHE'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';

const root = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/** Path of a file or folder of the shared data that lies beside the repository. */
export function sharedData(...parts: string[]): string {
  return root + parts.join('/');
}

/** A `describe` over the shared data: skipped with one line when it is absent, failing in CI. */
export function describeWithSharedData(name: string, suite: () => void): void {
  if (existsSync(root)) {
    describe(name, suite);
  } else if (process.env.REQUIRE_SHARED_DATA === '1') {
    describe(name, () => {
      it('finds the shared data', () => {
        throw new Error(`REQUIRE_SHARED_DATA=1, but there is no ${root}`);
      });
    });
  } else {
    console.warn(`skipped: ${name}: no shared data at ${root}`);
    describe.skip(name, suite);
  }
}

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Generous, for machines that do other things at the same time. */
const patience = (ms: number) => ({ testTimeout: ms, hookTimeout: ms, expect: { poll: { timeout: 20_000 } } });

export default defineConfig({
  test: {
    globalSetup: ['test/support/run-folder.ts', 'test/support/shared-postgres.ts'],
    sequence: { sequencer: LongestFirst },
    // Many tests wait for servers and browsers, so that two files on two cores take little longer than one. A third
    // makes each take half as long again (decision 158).
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          // A process loads modules once for all files that it takes, and has one database for them.
          isolate: false,
          setupFiles: 'test/support/own-fetch.ts',
          ...patience(60_000),
          include: [
            '{shared,config,functions,containers,test/architecture,test/differential,test/fuzz,test/guide,test/load}/**/*.test.ts',
            'frontend/src/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.integration.test.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          ...patience(120_000),
          include: ['**/*.integration.test.ts', 'test/{integration,conformance}/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'browser',
          // A process loads modules and starts Chromium once for all files that it takes.
          isolate: false,
          ...patience(120_000),
          include: ['test/browser/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'infrastructure',
          ...patience(120_000),
          include: ['infra/test/**/*.test.ts'],
          // A process loads the CDK once, and synthesises each size once for all files that it takes. No number of
          // processes of its own: vitest refuses projects that differ in it.
          isolate: false,
        },
      },
    ],
  },
});

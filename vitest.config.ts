import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Generous, for machines that do other things at the same time.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          include: [
            '{shared,config,functions,containers,test/architecture,test/differential,test/fuzz,test/load}/**/*.test.ts',
            'frontend/src/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.integration.test.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['**/*.integration.test.ts', 'test/{integration,conformance}/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'infrastructure',
          include: ['infra/test/**/*.test.ts'],
          // One process: the CDK is loaded once, and each size synthesised once for all files.
          isolate: false,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: { name: 'browser', include: ['test/browser/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
      },
    ],
  },
});

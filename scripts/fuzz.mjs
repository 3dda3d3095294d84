// npm run fuzz: gives the engine inputs that nobody means well with, in one thread, and says what it made of them.
//   npm run fuzz -- [--inputs N] [--seconds S] [--reader NAME] [--seed X]
//   npm run fuzz -- --replay FILE     an input that failed, again
import { runBundled } from './bundled.mjs';

// What is freed goes back to the system at once, so that growth is what is kept.
process.env.GLIBC_TUNABLES ??= 'glibc.malloc.mmap_threshold=131072:glibc.malloc.trim_threshold=131072';

await runBundled('test/fuzz/main.ts');

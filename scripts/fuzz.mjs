// npm run fuzz: gives the engine inputs that nobody means well with, in one thread, and says what it made of them.
//   npm run fuzz -- [--inputs N] [--seconds S] [--reader NAME] [--seed X]
//   npm run fuzz -- --replay FILE     an input that failed, again
import { runBundled } from './bundled.mjs';

await runBundled('test/fuzz/main.ts');

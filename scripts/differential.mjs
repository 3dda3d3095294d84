// npm run differential: compares the engine's findings with those of the programs on this machine (docs/engine-differences.md).
//   npm run differential -- [--reuse] [--list TEXT]
import { runBundled } from './bundled.mjs';

await runBundled('test/differential/main.ts');

// npm run bench:memory: memory and time that large event logs take here, by their size (docs/bench.md).
//   npm run bench:memory -- [--megabytes N] [--threads N]
import { runBundled } from './bundled.mjs';

await runBundled('test/load/memory-bench.ts');

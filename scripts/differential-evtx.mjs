// npm run differential:evtx: compares every value read from the shared event logs with what pyevtx-rs reads
// (docs/engine-differences.md). Skipped where python3 on the PATH has no package evtx.
//   npm run differential:evtx -- [FILE.evtx …]
import { runBundled } from './bundled.mjs';

await runBundled('test/differential/evtx-fields.ts');

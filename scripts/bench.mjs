// npm run bench: every figure of docs/bench.md, one command after another.
import { run } from './install.mjs';

for (const one of ['bench-engine', 'bench-memory', 'bench-peers', 'bench-http'])
  run(process.execPath, [`scripts/${one}.mjs`]);

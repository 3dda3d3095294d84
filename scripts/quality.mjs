// npm run quality: how much the core pack finds in public logs of attacks, and how little elsewhere (docs/rules.md).
import { runBundled } from './bundled.mjs';

await runBundled('test/quality/core-pack.ts');

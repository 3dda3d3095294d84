// npm run guide:images: takes the pictures of the guide, and of the README, anew from the built product.
import { runBundled } from './bundled.mjs';
import { ensureInstalled } from './install.mjs';
import { programsFor } from './programs.mjs';

ensureInstalled();
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('server', 'web');
Object.assign(process.env, await programsFor(['chromium']));
await runBundled('test/guide/take-pictures.ts');

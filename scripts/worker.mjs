// npm run worker: install what is missing, build what changed, analyse jobs for the processes of npm start.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('worker');
await import(pathToFileURL(join(root, 'dist/worker/main.mjs')).href);

// npm run move-database: install what is missing, build what changed, move the embedded database to a server.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('worker');
await import(pathToFileURL(join(root, 'dist/worker/move-database.mjs')).href);

// npm run migrate: install what is missing, build what changed, bring the database up to date.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt('worker');
await import(pathToFileURL(join(root, 'dist/worker/migrate.mjs')).href);

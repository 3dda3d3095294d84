// npm start: install what is missing, build what changed, serve.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { ensureBuilt } = await import('./build.mjs');
const isDebugging = /^(1|true|yes|on|y|enabled)$/i.test(process.env.DEBUG ?? '');
await ensureBuilt('web', 'server', ...(isDebugging ? ['api-docs'] : []));
await import(pathToFileURL(join(root, 'dist/server/main.mjs')).href);

#!/usr/bin/env node
// Starts the command line; the first time, or after its sources changed, builds it before.
import { existsSync } from 'node:fs';
import { ensureBuilt } from '../../../scripts/build.mjs';
import { ensureInstalled } from '../../../scripts/install.mjs';

const main = new URL('../../../dist/cli/main.mjs', import.meta.url);
const builder = new URL('../../../node_modules/esbuild', import.meta.url);
if (!existsSync(main) && !existsSync(builder)) ensureInstalled();
await ensureBuilt('cli');
await import(main.href);

#!/usr/bin/env node
// Starts the command line; the first time, or after its sources changed, builds it before.
import { existsSync } from 'node:fs';
import { ensureBuilt } from '../../../scripts/build.mjs';
import { ensureInstalled } from '../../../scripts/install.mjs';

// Accounts are the service's own matter: that command is part of its bundle, and no burden to the others.
const [part, program] = process.argv[2] === 'admin' ? ['server', 'admin'] : ['cli', 'main'];
const main = new URL(`../../../dist/${part}/${program}.mjs`, import.meta.url);
const builder = new URL('../../../node_modules/esbuild', import.meta.url);
if (!existsSync(main) && !existsSync(builder)) ensureInstalled();
await ensureBuilt(part);
await import(main.href);

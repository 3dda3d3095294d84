#!/usr/bin/env node
// Starts the command line; the first time, or after its sources changed, builds it before.
import { existsSync } from 'node:fs';
import { ensureBuilt } from '../../../scripts/build.mjs';
import { ensureInstalled } from '../../../scripts/install.mjs';

// What looks after the service is part of its bundle, and no burden to the other commands.
const command = process.argv[2];
const [part, program] = ['admin', 'doctor'].includes(command) ? ['server', command] : ['cli', 'main'];
const main = new URL(`../../../dist/${part}/${program}.mjs`, import.meta.url);
const builder = new URL('../../../node_modules/esbuild', import.meta.url);
if (!existsSync(main) && !existsSync(builder)) ensureInstalled();
await ensureBuilt(part);
await import(main.href);

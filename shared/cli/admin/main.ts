import { processTerminal } from '../terminal.ts';
import { runAdmin } from './run-admin.ts';

// The launcher hands over everything after `svc`, whose first word is `admin`.
process.exitCode = await runAdmin(process.argv.slice(3), processTerminal());

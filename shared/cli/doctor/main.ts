import { processTerminal } from '../terminal.ts';
import { runDoctor } from './run-doctor.ts';

// The launcher hands over everything after `svc`, whose first word is `doctor`.
process.exitCode = await runDoctor(process.argv.slice(3), processTerminal());

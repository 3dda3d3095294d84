import { fileURLToPath } from 'node:url';
import { codeFolder } from './cache-folders.ts';
import { runKeepingCode } from './compiled-code.ts';

// An analysis is what is worth it: it runs most of the program, and is run again.
runKeepingCode(
  fileURLToPath(new URL('./program.cjs', import.meta.url)),
  codeFolder(process.env),
  process.argv[2] === 'analyze',
);

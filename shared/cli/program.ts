import { run } from './run.ts';
import { processTerminal } from './terminal.ts';

// A reader that has seen enough, as `head` does, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), processTerminal());
}

// CommonJS, which this is bundled to, cannot wait here.
void main();

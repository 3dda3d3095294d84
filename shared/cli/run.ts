import { detectLogType } from '@svc/engine';
import { readPack } from '@svc/engine/node';
import { UsageError } from './argument-values.ts';
import { parseCommand } from './arguments.ts';
import { analyzeFiles } from './commands/analyze.ts';
import { checkRules } from './commands/check-rules.ts';
import { profileRules } from './commands/profile-rules.ts';
import { explain } from './commands/explain.ts';
import { FileError } from './file-error.ts';
import type { Terminal } from './terminal.ts';

/** Runs `svc` with its arguments; resolves to the exit code. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await perform(parseCommand(argv), terminal);
  } catch (error) {
    if (error instanceof UsageError) terminal.err(`svc: ${error.message}\nTry: ${error.command} --help\n`);
    else if (error instanceof FileError) terminal.err(`svc: ${error.message}\n`);
    else throw error;
    return 2;
  }
}

async function perform(command: ReturnType<typeof parseCommand>, terminal: Terminal): Promise<number> {
  switch (command.name) {
    case 'analyze':
      return analyzeFiles(command, terminal);
    // What talks to a service is loaded when it is needed; the others start without it. It gets the
    // engine's function, as an import would break the engine's bundle in two, which then runs slower.
    case 'submit':
      return (await import('./commands/submit.ts')).submitFiles(command, terminal, detectLogType);
    case 'login':
      return (await import('./commands/login.ts')).login(command, terminal);
    case 'rules import':
      return (await import('./commands/import-rules.ts')).importRules(command, terminal, readPack);
    case 'intel search':
      return (await import('./commands/intel.ts')).searchEntities(command, terminal);
    case 'intel show':
      return (await import('./commands/intel.ts')).showEntity(command, terminal);
    case 'intel tag':
      return (await import('./commands/intel.ts')).tagEntities(command, terminal);
    case 'alert-rules export':
      return (await import('./commands/alert-rules.ts')).exportAlertRules(command, terminal);
    case 'alert-rules import':
      return (await import('./commands/alert-rules.ts')).importAlertRules(command, terminal);
    case 'rules check':
      return checkRules(command, terminal);
    case 'rules profile':
      return profileRules(command, terminal);
    case 'explain':
      return explain(command, terminal);
    case 'printed':
      terminal.out(command.text);
      return 0;
  }
}

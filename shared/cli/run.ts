import { type LoadedRules, loadRules } from '@svc/engine';
import { readRuleFiles } from '@svc/engine/node';
import { fileURLToPath } from 'node:url';
import { analyzeFile, asFileError, FileError } from './analyze-file.ts';
import { type AnalyzeCommand, parseCommand, UsageError } from './arguments.ts';
import { printerFor } from './formats/printer.ts';
import manifest from './package.json' with { type: 'json' };
import type { Terminal } from './terminal.ts';
import { usage } from './usage.ts';

// The same from this source and from the bundle, which both lie two folders deep.
const corePack = fileURLToPath(new URL('../../config/sigma', import.meta.url));

/** Runs `svc` with its arguments; resolves to the exit code. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const command = parseCommand(argv);
    if (command.name === 'analyze') return await analyzeFiles(command, terminal);
    terminal.out(command.name === 'help' ? usage : `${manifest.version}\n`);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) terminal.err(`svc: ${error.message}\nTry: svc --help\n`);
    else if (error instanceof FileError) terminal.err(`svc: ${error.message}\n`);
    else throw error;
    return 2;
  }
}

async function analyzeFiles(command: AnalyzeCommand, terminal: Terminal): Promise<number> {
  const rules = await rulesFrom(command.rules.length > 0 ? command.rules : [corePack]);
  if (rules.loaded === 0) terminal.err('svc: no rule is usable, so nothing is looked for\n');
  let exitCode = rules.loaded === 0 ? 2 : 0;
  const { logType, maxEvents: maxSamples } = command;
  const printer = printerFor(command, terminal);
  for (const file of command.files) {
    try {
      printer.print(await analyzeFile(file, rules, { logType, maxSamples }));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      terminal.err(`svc: ${error.message}\n`);
      exitCode = 2;
    }
  }
  printer.end();
  return exitCode;
}

async function rulesFrom(paths: readonly string[]): Promise<LoadedRules> {
  try {
    return loadRules(await readRuleFiles(paths));
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? String(error.path) : paths.join(', ');
    throw asFileError(path, error);
  }
}

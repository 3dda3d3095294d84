import { analyzeFile } from '../analyze-file.ts';
import type { AnalyzeCommand } from '../arguments.ts';
import { FileError } from '../file-error.ts';
import { printerFor } from '../formats/printer.ts';
import { rulesFrom } from '../read-rules.ts';
import type { Terminal } from '../terminal.ts';

/** Analyses files one after another and prints each when it is done; resolves to the exit code. */
export async function analyzeFiles(command: AnalyzeCommand, terminal: Terminal): Promise<number> {
  const rules = await rulesFrom(command.rules);
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

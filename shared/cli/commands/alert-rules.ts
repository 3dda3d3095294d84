import { operations, RequestError, type ImportedAlertRules } from '@svc/contracts';
import { readFile } from 'node:fs/promises';
import type { AlertRulesExportCommand, AlertRulesImportCommand } from '../alert-rules-arguments.ts';
import { FileError } from '../file-error.ts';
import { printable } from '../formats/text.ts';
import { withService } from '../service/with-service.ts';
import type { Terminal } from '../terminal.ts';

/** Prints the rules that the token's account may export; resolves to the exit code. */
export function exportAlertRules(command: AlertRulesExportCommand, terminal: Terminal): Promise<number> {
  return withService(command, terminal, async (service, signal) => {
    terminal.out(await service.text(operations.exportAlertRules, signal));
    return 0;
  });
}

/** Takes a document or, as a test, only says what would become of it; resolves to the exit code. */
export async function importAlertRules(command: AlertRulesImportCommand, terminal: Terminal): Promise<number> {
  const text = await readFile(command.file, 'utf8').catch((error: unknown) => {
    throw new FileError(`${command.file}: ${error instanceof Error ? error.message : String(error)}`);
  });
  return withService(command, terminal, async (service, signal) => {
    const asked = { yaml_text: text, as_shared: command.asShared, dry_run: command.isTest };
    try {
      const done = await service.call(operations.importAlertRules, asked, { signal });
      terminal.out(
        command.format === 'json' ? `${JSON.stringify(done, null, 2)}\n` : outcomeText(done, command.isTest),
      );
      for (const warning of done.warnings) terminal.err(`svc: ${printable(warning)}\n`);
      return 0;
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== 'invalid_rule') throw error;
      for (const { message } of error.errors) terminal.err(`svc: ${printable(message)}\n`);
      return 1;
    }
  });
}

const words = { created: 'new', updated: 'changed', unchanged: 'as before' } as const;

function outcomeText({ changes }: ImportedAlertRules, isTest: boolean): string {
  const lines = changes.map(
    ({ kind, name, is_shared: isShared, change }) =>
      `${words[change].padEnd(10)} ${kind === 'rule' && isShared ? 'shared rule' : kind} ${printable(name)}\n`,
  );
  const end = isTest ? 'Nothing was changed: svc alert-rules import takes it' : 'Imported';
  return `${lines.join('')}${end}\n`;
}

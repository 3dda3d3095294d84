import { type ExplainedRecord, explainRecord, NoSuchRecordError, type Rule } from '@svc/engine';
import { fileSource } from '@svc/engine/node';
import { stat } from 'node:fs/promises';
import { UsageError } from '../argument-values.ts';
import type { ExplainCommand } from '../arguments.ts';
import { asFileError, FileError } from '../file-error.ts';
import { explanationText } from '../formats/explanation.ts';
import { loadOptions, rulesFrom } from '../read-rules.ts';
import type { Terminal } from '../terminal.ts';

/** Shows why a rule matched a record or did not; resolves to the exit code. */
export async function explain(command: ExplainCommand, terminal: Terminal): Promise<number> {
  const { file, record, logType } = command;
  const rules = await rulesNamed(command);
  const { placeholders = new Map() } = await loadOptions(command.placeholders);
  try {
    const source = await fileSource(file);
    try {
      const explained = await explainRecord(source, { rules, record, logType, placeholders });
      terminal.out(
        command.format === 'json'
          ? `${JSON.stringify(toReport(explained), null, 2)}\n`
          : explanationText(explained, terminal),
      );
      return 0;
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof NoSuchRecordError) throw new FileError(`${file}: ${error.message}`, { cause: error });
    throw asFileError(file, error);
  }
}

/** The rules of a file, or those of the rules in use that have the id or the title. */
async function rulesNamed({ rule: named, rules: paths, placeholders }: ExplainCommand): Promise<readonly Rule[]> {
  const isFile = await stat(named).then(
    (entry) => entry.isFile(),
    () => false,
  );
  const { rules, rejected } = await rulesFrom(isFile ? [named] : paths, placeholders);
  if (isFile) {
    const [first] = rejected;
    if (first !== undefined) throw new FileError(`${first.path}:${first.line}: ${first.message}`);
    if (rules.rules.length > 0) return rules.rules;
    throw new FileError(`${named}: no detection rule is there; of correlations, explain the rules they refer to`);
  }
  const wanted = named.toLowerCase();
  const found = rules.rules.filter(({ id, title }) => id === wanted || title.toLowerCase() === wanted);
  if (found.length > 0) return found;
  const close = rules.rules.filter(({ title }) => title.toLowerCase().includes(wanted)).slice(0, 5);
  const hint = close.length > 0 ? `; close are ${close.map(({ title }) => `“${title}”`).join(', ')}` : '';
  throw new UsageError(`"${named}" is no file, and no rule in use has it as id or title${hint}`);
}

/** The explanation with keys as all output of the program has them; those of the record are its own. */
function toReport({ fields, ...explained }: ExplainedRecord): unknown {
  return { ...(snakeCased(explained) as object), fields };
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(one),
    ]),
  );
}

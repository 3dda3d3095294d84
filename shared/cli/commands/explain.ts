import {
  type Correlation,
  type ExplainedRecord,
  explainRecord,
  NoSuchRecordError,
  type Rule,
  type RuleSet,
} from '@svc/engine';
import { stat } from 'node:fs/promises';
import { UsageError } from '../argument-values.ts';
import type { ExplainCommand } from '../arguments.ts';
import { asFileError, FileError } from '../file-error.ts';
import { explanationText } from '../formats/explanation.ts';
import { openLog } from '../inputs/open-log.ts';
import { spoolOf } from '../inputs/spool.ts';
import { watchInterruption } from '../interruption.ts';
import { loadOptions, rulesFrom } from '../read-rules.ts';
import type { Terminal } from '../terminal.ts';

/** Shows why a rule matched a record or did not; resolves to the exit code. */
export async function explain(command: ExplainCommand, terminal: Terminal): Promise<number> {
  const named = await rulesNamed(command);
  const { placeholders = new Map() } = await loadOptions(command.placeholders);
  const interruption = watchInterruption();
  const spool = spoolOf(terminal.input);
  try {
    const { log, close } = await openLog(command.file, () => spool.fill(interruption.signal));
    try {
      const { record, logType, logSource } = command;
      const source = logSource === undefined ? {} : { logSource };
      const options = { rules: named.rules, record, logType, placeholders, now: log.modified, ...source };
      const explained = await explainRecord(log.source, { ...options, signal: interruption.signal });
      terminal.out(
        command.format === 'json'
          ? `${JSON.stringify(toReport(explained, named.correlations), null, 2)}\n`
          : explanationText(explained, named.correlations, terminal),
      );
      return 0;
    } finally {
      await close();
    }
  } catch (error) {
    const exitCode = interruption.exitCode();
    if (exitCode !== undefined) return exitCode;
    if (error instanceof NoSuchRecordError) throw new FileError(`${command.file}: ${error.message}`, { cause: error });
    throw asFileError(command.file, error);
  } finally {
    await spool.remove();
    interruption.close();
  }
}

interface Named {
  /** The rules themselves, and those that the correlations count. */
  readonly rules: readonly Rule[];
  readonly correlations: readonly Correlation[];
}

/** The rules of a file, or those of the rules in use that have the id or the title. */
async function rulesNamed({ rule: named, rules: paths, placeholders }: ExplainCommand): Promise<Named> {
  const entry = await stat(named).catch(() => undefined);
  if (entry?.isDirectory()) throw new UsageError(`"${named}" is a folder; name a rule, and the folder with --rules`);
  const isFile = entry?.isFile() ?? false;
  const { rules, rejected } = await rulesFrom(isFile ? [named] : paths, placeholders);
  if (isFile) {
    const [first] = rejected;
    if (first !== undefined) throw new FileError(`${first.path}:${first.line}: ${first.message}`);
    if (rules.rules.length > 0) return rules;
    throw new FileError(`${named}: no rule is there`);
  }
  const wanted = named.toLowerCase();
  const isWanted = ({ id, title }: Rule | Correlation): boolean => id === wanted || title.toLowerCase() === wanted;
  const found = rules.rules.filter(isWanted);
  const correlations = rules.correlations.filter(isWanted);
  if (found.length + correlations.length > 0) {
    return { rules: [...new Set([...found, ...correlations.flatMap((one) => countedBy(one, rules))])], correlations };
  }
  const close = [...rules.rules, ...rules.correlations].filter(({ title }) => title.toLowerCase().includes(wanted));
  const titles = close.slice(0, 5).map(({ title }) => `“${title}”`);
  const hint = titles.length > 0 ? `; close are ${titles.join(', ')}` : '';
  throw new UsageError(`"${named}" is no file, and no rule in use has it as id or title${hint}`);
}

/** The rules whose matches a correlation counts, be it by way of others. */
function countedBy({ inputs }: Correlation, set: RuleSet): readonly Rule[] {
  return inputs.flatMap(({ kind, place }) =>
    kind === 'rule' ? set.rules[place]! : countedBy(set.correlations[place]!, set),
  );
}

/** The explanation with keys as all output of the program has them; those of the record are its own. */
function toReport({ fields, ...explained }: ExplainedRecord, correlations: readonly Correlation[]): unknown {
  const named = correlations.map(({ id, title, level, path }) => ({
    rule_id: id,
    rule_name: title,
    severity: level,
    path,
  }));
  return { ...(snakeCased(explained) as object), correlations: named, fields };
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

import { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import { RouteTable } from '../events/route.ts';
import { ValueTable } from '../events/value-table.ts';
import { openLog } from '../readers/open-log.ts';
import { logTypeOf } from '../readers/detect-log-type.ts';
import type { LogType } from '../readers/log-type.ts';
import type { ByteSource, EventTables, ReadOptions } from '../readers/reader.ts';
import { readerFor } from '../readers/readers.ts';
import { UnsupportedLogError } from '../readers/unsupported-log-error.ts';
import type { LogSource } from '../sigma/log-source.ts';
import type { Placeholders } from '../sigma/placeholders.ts';
import type { Rule } from '../sigma/rule.ts';
import { statedFacts } from '../sigma/source-rows.ts';
import type { ExplainedRecord, Explanation } from './explanation.ts';
import { explainRule } from './explain-rule.ts';

export interface ExplainOptions extends ReadOptions {
  readonly rules: readonly Rule[];
  /** `auto` decides by content. */
  readonly logType: LogType | 'auto';
  /**
   * Record id where the log has such ids, else the place among the records from 1; `#5` is the fifth in any log, and
   * `@512` the one whose `_offset` that is. Of several that are meant, as auditd has records with one id, it is the
   * first that a rule matches, or that is of its log source.
   */
  readonly record: string;
  /** Log source of records that do not tell it, as for `analyze`. */
  readonly logSource?: LogSource | 'any';
  /** Those that the rules were loaded with. */
  readonly placeholders?: Placeholders;
}

/** The log has no such record. */
export class NoSuchRecordError extends Error {
  override readonly name = 'NoSuchRecordError';
}

/**
 * Finds a record in a log and holds rules against it, part by part; reading stops there. Rejects with
 * `NoSuchRecordError`, `UnsupportedLogError`, the source's own errors, and the signal's reason.
 */
export async function explainRecord(source: ByteSource, options: ExplainOptions): Promise<ExplainedRecord> {
  const { record } = options;
  const opened = await openLog(source, options.logType);
  const logType = await logTypeOf(opened.source, options.logType);
  const read = readerFor(logType);
  if (read === undefined) throw new UnsupportedLogError(logType);
  const tables: EventTables = { fields: new FieldTable(), values: new ValueTable(), routes: new RouteTable() };
  tables.routes.unlabelled = statedFacts(options.logSource);
  const found = new Error('The record was found');
  let explained: ExplainedRecord | undefined;
  let best = -1;
  let isFound = false;
  let number = 0;
  const visit = (event: LogEvent): void => {
    number++;
    if (isFound) return;
    const head = event.head();
    const isPlace = record === `#${number}` || (head.recordId === null && record === String(number));
    if (!isPlace && record !== head.recordId && record !== `@${event.offset}`) return;
    const explanations = options.rules.map((rule) => explainRule(rule, event, tables.fields, options.placeholders));
    const fit = fitOf(explanations);
    if (fit > best) explained = { logType, number, head, fields: event.toRecord(), explanations };
    best = Math.max(best, fit);
    isFound = isPlace || fit === bestFit;
  };
  const throwIfAborted = (): void => {
    options.signal?.throwIfAborted();
    if (isFound) throw found;
  };
  try {
    await read(opened.source, tables, visit, opened.options({ ...options, signal: { throwIfAborted } }));
  } catch (error) {
    if (error !== found) throw error;
  }
  if (explained === undefined) {
    throw new NoSuchRecordError(`There is no record ${record} among the ${number} of the log; #1 would be its first`);
  }
  return explained;
}

const bestFit = 2;

/** How much a record has to do with the rules. */
function fitOf(explanations: readonly Explanation[]): number {
  if (explanations.some(({ matches }) => matches)) return bestFit;
  return explanations.some(({ views }) => views.some(({ sourceHolds }) => sourceHolds)) ? 1 : 0;
}

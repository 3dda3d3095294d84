import { FieldTable } from './events/field-table.ts';
import type { LogEvent } from './events/log-event.ts';
import { RouteTable } from './events/route.ts';
import { ValueTable } from './events/value-table.ts';
import type { Analysis } from './findings.ts';
import { Correlator } from './correlation/correlator.ts';
import { FindingCollector, inOrder } from './matching/finding-collector.ts';
import { Matcher } from './matching/matcher.ts';
import { type Period, placeIn } from './matching/period.ts';
import { Tally } from './matching/tally.ts';
import { openCompressed } from './readers/compressed/open-compressed.ts';
import { detectLogType } from './readers/detect-log-type.ts';
import type { LogType } from './readers/log-type.ts';
import type { ByteSource, EventTables, ReadOptions, ReadProblem } from './readers/reader.ts';
import { readerFor } from './readers/readers.ts';
import type { RuleSet } from './sigma/rule-set.ts';

export interface AnalyzeOptions extends ReadOptions {
  readonly rules: RuleSet;
  /** `auto` decides by content. */
  readonly logType: LogType | 'auto';
  /** Sample events kept per finding; 0 keeps them all. */
  readonly maxSamples: number;
  /** Only events of this time are matched; the others are counted. @default all, whatever their time */
  readonly period?: Period;
  /** Also count what the log consists of, all of it. @default false */
  readonly statistics?: boolean;
}

/** There is no reader for this kind of log. */
export class UnsupportedLogError extends Error {
  override readonly name = 'UnsupportedLogError';
  readonly logType: LogType;

  constructor(logType: LogType) {
    super(
      logType === 'unknown' ? 'This is no kind of log that is known' : `Logs of type ${logType} cannot be read yet`,
    );
    this.logType = logType;
  }
}

const headBytes = 65_536;

/**
 * Reads a log once and matches every record against the rules, in bounded memory. Damage in the log
 * is reported with the result, and gzip is opened; rejects with `UnsupportedLogError`, with the source's own errors, and
 * with the signal's reason when cancelled.
 */
export async function analyze(source: ByteSource, options: AnalyzeOptions): Promise<Analysis> {
  options.signal?.throwIfAborted();
  const opened = await openCompressed(source);
  const logType = options.logType === 'auto' ? detectLogType(await headOf(opened.source)) : options.logType;
  const read = readerFor(logType);
  if (read === undefined) throw new UnsupportedLogError(logType);
  const run = idle.get(options.rules)?.pop() ?? newRun(options.rules);
  const { rules, period } = options;
  const collector = new FindingCollector(options.maxSamples);
  const correlator = new Correlator(rules, run.tables.fields, options.maxSamples);
  const silent = new Set(rules.silent.rules);
  const { values } = run.tables;
  values.undecided = 0;
  let undecidedAt = -1;
  const tally = options.statistics ? new Tally() : null;
  const passedOver = { outside: 0, untimed: 0 };
  const visit = (event: LogEvent): void => {
    tally?.add(event);
    const place = period === undefined ? 'inside' : placeIn(period, event);
    if (place !== 'inside') {
      passedOver[place]++;
      return;
    }
    run.matcher.match(event, (rule) => {
      correlator.add(rule, event);
      if (!silent.has(rule)) collector.add(rule, event, event.offset);
    });
    if (values.undecided > 0 && undecidedAt < 0) undecidedAt = event.offset;
  };
  try {
    const report = await read(opened.source, run.tables, visit, opened.options(options));
    const findings = inOrder([...collector.findings(rules.rules), ...correlator.findings()]);
    const problems = [
      ...report.problems,
      ...opened.problems(),
      ...correlator.problems(),
      ...undecided(values.undecided, undecidedAt),
    ];
    const statistics = tally?.result() ?? null;
    return { logType, events: report.records, passedOver, findings, statistics, problems };
  } finally {
    if (!run.matcher.isFull) idle.set(options.rules, [...(idle.get(options.rules) ?? []), run]);
  }
}

function undecided(count: number, offset: number): ReadProblem[] {
  const message = 'A value was too long for a regular expression of its rule, which was taken not to match';
  return count === 0 ? [] : [{ code: 'regex_limit', message, offset, count }];
}

/** What a run builds up and a later one with the same rules can use again. */
interface Run {
  readonly tables: EventTables;
  readonly matcher: Matcher;
}

const idle = new WeakMap<RuleSet, Run[]>();

function newRun({ rules }: RuleSet): Run {
  const tables = { fields: new FieldTable(), values: new ValueTable(), routes: new RouteTable() };
  return { tables, matcher: new Matcher(rules, tables) };
}

async function headOf(source: ByteSource): Promise<Uint8Array> {
  const head = new Uint8Array(Math.min(headBytes, source.size));
  return head.subarray(0, await source.read(0, head));
}

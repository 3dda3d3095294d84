import type { Correlator } from './correlation/correlator.ts';
import { type CorrelatedMatch, MatchCollector } from './correlation/match-collector.ts';
import { Census, type CensusOptions, type CensusPart, joinCensus } from './derived/census.ts';
import { type DerivedPart, Deriver, type DeriveOptions, joinDerived } from './derived/deriver.ts';
import { type IntelPart, IntelPass } from './derived/intel-pass.ts';
import { joinIntel } from './derived/join-intel.ts';
import { CurrentEvent } from './events/current-event.ts';
import { FieldTable } from './events/field-table.ts';
import { type ExternalEngine, keyOfRule, type ToldRule } from './external/told-rule.ts';
import type { LogEvent } from './events/log-event.ts';
import { RouteTable } from './events/route.ts';
import { ValueTable } from './events/value-table.ts';
import type { Analysis, FoundSoFar } from './findings.ts';
import { type Collected, FindingCollector, inOrder } from './matching/finding-collector.ts';
import { Matcher } from './matching/matcher.ts';
import { joinCosts, type RuleCost, RuleProfile } from './matching/rule-profile.ts';
import { joinRaw, RawCollector, type RawOptions, type RawParts } from './matching/raw-matches.ts';
import { type Period, placeIn } from './matching/period.ts';
import { type Statistics, Tally } from './matching/tally.ts';
import { joinReports } from './readers/join-reports.ts';
import type { LogType } from './readers/log-type.ts';
import type { ByteSource, EventTables, ReadOptions, ReadProblem, ReadReport } from './readers/reader.ts';
import { readerFor } from './readers/readers.ts';
import { UnsupportedLogError } from './readers/unsupported-log-error.ts';
import type { LogSource } from './sigma/log-source.ts';
import { reportingOf, type RuleSet } from './sigma/rule-set.ts';
import { statedFacts } from './sigma/source-rows.ts';

/** What records are matched against, and what is kept of those that match. */
export interface MatchOptions {
  /** Sample events kept per finding; 0 keeps them all. */
  readonly maxSamples: number;
  /** Only events of this time are matched; the others are counted. @default all, whatever their time */
  readonly period?: Period;
  /** Also count what the log consists of, all of it. @default false */
  readonly statistics?: boolean;
  /**
   * Log source of records that tell none themselves, as of JSON or tables of unknown origin; `any` tries the
   * rules of all of them whose fields a record has (detection-engine 1.2). @default none, so no rule applies
   */
  readonly logSource?: LogSource | 'any';
  /** Also count what is in the log, matched or not. @default nothing */
  readonly census?: CensusOptions;
  /** Also derive from matched events what a report shows beside its findings. @default nothing */
  readonly derive?: DeriveOptions;
  /** Also keep the matched events themselves, the first of them. @default nothing */
  readonly raw?: RawOptions;
  /** Told of every match while the event can be asked; not with threads. @default nothing */
  readonly onMatch?: (rule: number, event: LogEvent, fields: FieldTable) => void;
  /** Also measure what each rule takes, on one in so many records. @default nothing */
  readonly costs?: { readonly oneIn: number };
}

/** What was said of the reading of one part. */
interface PartReport extends ReadReport {
  /** Place of the part among those of the log. */
  readonly part: number;
}

/** What was found in some parts of a log; plain data, so that threads can hand it over. */
export interface PartialAnalysis {
  readonly reports: readonly PartReport[];
  readonly passedOver: Analysis['passedOver'];
  readonly collected: readonly Collected[];
  /** Matches that could not be correlated. */
  readonly ungrouped: number;
  readonly statistics: Statistics | null;
  readonly derived: DerivedPart | null;
  readonly census: CensusPart | null;
  readonly intel: IntelPart | null;
  readonly raw: RawParts | null;
  readonly costs: readonly RuleCost[] | null;
  /** Engines whose results there were. */
  readonly toldBy: readonly ExternalEngine[];
}

/**
 * Takes the matches of a part that correlations refer to, in order and some at a time; `isLast` ends the
 * part. Never called for rules without correlations.
 */
export type PartSink = (part: number, matches: readonly CorrelatedMatch[], isLast: boolean) => void;

/** More records than any part has: places of records in the input are counted within their part, from 1. */
export const recordsPerPart = 2 ** 32;

/** Matches the records of parts of a log, in rising order; the single pass over a log is one part. */
export class PartAnalyzer {
  readonly #logType: LogType;
  readonly #rules: RuleSet;
  readonly #period: Period | undefined;
  readonly #run: Run;
  readonly #silent: ReadonlySet<number>;
  readonly #findings: FindingCollector;
  readonly #correlated: MatchCollector;
  readonly #correlate: PartSink;
  readonly #tally: Tally | null;
  readonly #deriver: Deriver | null;
  readonly #census: Census | null;
  readonly #intel: IntelPass | null;
  readonly #raw: RawCollector | null;
  /** Rules that the event has matched. */
  readonly #ofEvent: number[] = [];
  readonly #logSource: MatchOptions['logSource'];
  readonly #onMatch: MatchOptions['onMatch'];
  readonly #passedOver = { outside: 0, untimed: 0 };
  readonly #toldBy = new Set<ExternalEngine>();
  /** Places of the rules by what results call them; made when there is one that tells its rule. */
  #placeOf: ReadonlyMap<string, number> | undefined;
  /** Records that tell a rule which is not among those. */
  readonly #unknown = { count: 0, offset: -1 };
  readonly #reports: PartReport[] = [];
  readonly #profile: RuleProfile | undefined;
  #firstPart = -1;
  #part = 0;
  #order = 0;
  readonly #current = new CurrentEvent();

  /** @param valueBytes bound of the values that are remembered; the first analyzer of some rules decides. */
  constructor(rules: RuleSet, logType: LogType, options: MatchOptions, correlate: PartSink, valueBytes?: number) {
    const { maxSamples, period, statistics, logSource, census, derive, raw, onMatch, costs } = options;
    this.#logType = logType;
    this.#rules = rules;
    this.#period = period;
    this.#run = idle.get(rules)?.pop() ?? newRun(rules, valueBytes);
    this.#profile = costs && new RuleProfile(rules.rules.length, costs.oneIn);
    this.#silent = new Set(rules.silent.rules);
    this.#findings = new FindingCollector(maxSamples);
    this.#correlate = correlate;
    const intel = derive !== undefined && derive.intel !== false ? new IntelPass(derive.entities) : null;
    this.#intel = intel;
    this.#correlated = new MatchCollector(
      rules,
      this.#run.tables.fields,
      (matches) => correlate(this.#part, matches, false),
      maxSamples > 0 && derive === undefined && raw === undefined,
      intel === null ? undefined : () => intel.named,
    );
    this.#tally = statistics ? new Tally() : null;
    this.#deriver = derive ? new Deriver(derive) : null;
    this.#census = census ? new Census(census, this.#run.tables) : null;
    this.#raw = raw ? new RawCollector(reportingOf(rules), raw) : null;
    this.#logSource = logSource;
    this.#onMatch = onMatch;
  }

  /** Reads one part, which is all of the source or the options' range; rejects as readers do. */
  async read(source: ByteSource, part: number, options: ReadOptions): Promise<ReadReport> {
    const read = readerFor(this.#logType);
    if (read === undefined) throw new UnsupportedLogError(this.#logType);
    const { tables } = this.#run;
    const { values, routes } = tables;
    routes.unlabelled = statedFacts(this.#logSource);
    const unlabelled = { count: 0, offset: -1 };
    this.#part = part;
    if (this.#firstPart < 0) this.#correlated.begin((this.#firstPart = part));
    this.#correlated.rereads = source.isRandom === true;
    this.#order = part * recordsPerPart;
    values.undecided = 0;
    let undecidedAt = -1;
    const visit = (event: LogEvent): void => {
      this.#visit(event);
      if (values.undecided > 0 && undecidedAt < 0) undecidedAt = event.offset;
      if (event.told !== undefined) return;
      if (routes.unlabelledRoute !== undefined && event.route === routes.unlabelledRoute) {
        if (unlabelled.count++ === 0) unlabelled.offset = event.offset;
      }
    };
    const report = await read(source, tables, visit, options);
    this.#correlated.flush();
    this.#raw?.endPart(part);
    if (this.#rules.correlations.length > 0) this.#correlate(part, [], true);
    const problems = [
      ...report.problems,
      ...undecided(values.undecided, undecidedAt),
      ...unknownRules(this.#unknown),
      ...unlabelledProblem(this.#logSource, unlabelled),
    ];
    this.#reports.push({ ...report, problems, part });
    return report;
  }

  /** What was found by now in the part that is being read, and in those before. */
  soFar(): FoundSoFar {
    return { events: this.#order - this.#part * recordsPerPart, matches: this.#findings.counts() };
  }

  /** What was found in the parts read. */
  result(): PartialAnalysis {
    return {
      reports: this.#reports,
      passedOver: this.#passedOver,
      collected: this.#findings.collected(),
      ungrouped: this.#correlated.ungrouped,
      statistics: this.#tally?.result() ?? null,
      derived: this.#deriver?.result() ?? null,
      census: this.#census?.result() ?? null,
      intel: this.#intel?.result(this.#firstPart) ?? null,
      raw: this.#raw?.result() ?? null,
      costs: this.#profile?.costs() ?? null,
      toldBy: [...this.#toldBy],
    };
  }

  /** Leaves what was built up for the next analysis with the same rules; nothing more may be read. */
  release(): void {
    if (this.#run.matcher.isFull) return;
    idle.set(this.#rules, [...(idle.get(this.#rules) ?? []), this.#run]);
  }

  readonly #matched = (rule: number): void => {
    this.#correlated.add(rule, this.#current, this.#order);
    if (this.#silent.has(rule)) return;
    this.#findings.add(rule, this.#current, this.#order);
    this.#intel?.link(rule);
    this.#onMatch?.(rule, this.#current.event, this.#run.tables.fields);
    this.#ofEvent.push(rule);
  };

  /** Takes the word of the log for what the record matches. */
  #tell(told: ToldRule): void {
    this.#toldBy.add(told.engine);
    this.#placeOf ??= placesByNames(this.#rules.rules);
    const place = this.#placeOf.get(keyOfRule(told)) ?? this.#placeOf.get(keyOfRule({ ...told, id: null }));
    if (place !== undefined) this.#matched(place);
    else if (this.#unknown.count++ === 0) this.#unknown.offset = this.#current.event.offset;
  }

  /** What is kept of an event that rules match, which is written out only where something is. */
  #keep(): void {
    if (this.#deriver === null && this.#raw === null) return;
    const { head, record } = this.#current;
    this.#deriver?.add(head, record, this.#ofEvent, this.#order);
    this.#raw?.add(head, record, this.#ofEvent);
  }

  #visit(event: LogEvent): void {
    this.#order++;
    this.#tally?.add(event);
    const place = this.#period === undefined ? 'inside' : placeIn(this.#period, event);
    if (place !== 'inside') {
      this.#passedOver[place]++;
      return;
    }
    this.#current.begin(event);
    this.#intel?.add(event, this.#order);
    if (this.#ofEvent.length > 0) this.#ofEvent.length = 0;
    const { route } = event;
    this.#census?.add(event, route, this.#order);
    const profile = this.#profile?.forRecord();
    if (event.told === undefined) this.#run.matcher.match(event, this.#matched, route, profile);
    else this.#tell(event.told);
    this.#correlated.endEvent(this.#ofEvent.length > 0);
    if (this.#ofEvent.length > 0) this.#keep();
  }
}

/**
 * Puts together what was found in all parts of a log, whoever read which: the same as one pass over it finds.
 * @param correlator has been given the matches of all parts, in their order.
 */
export function joinParts(
  rules: RuleSet,
  logType: LogType,
  options: MatchOptions,
  partials: readonly PartialAnalysis[],
  correlator: Correlator,
  otherProblems: readonly ReadProblem[] = [],
): Analysis {
  const { maxSamples, census: counts, derive, raw, costs } = options;
  const findings = new FindingCollector(maxSamples);
  for (const { collected } of partials) findings.merge(collected);
  const correlations = correlator.findings();
  const reports = partials.flatMap((partial) => partial.reports).sort((a, b) => a.part - b.part);
  const { records, problems } = joinReports(reports);
  const ungrouped = partials.reduce((sum, partial) => sum + partial.ungrouped, 0);
  const correlated = rules.correlations.length > 0 ? [keepCorrelated(rules, options, partials, correlator)] : [];
  const kept = [...partials, ...correlated];
  return {
    logType,
    events: records,
    passedOver: {
      outside: partials.reduce((sum, { passedOver }) => sum + passedOver.outside, 0),
      untimed: partials.reduce((sum, { passedOver }) => sum + passedOver.untimed, 0),
    },
    findings: inOrder([...findings.findings(rules.rules), ...correlations]),
    statistics: joinStatistics(partials),
    derived: derive
      ? {
          ...joinDerived(
            derive,
            kept.flatMap(({ derived }) => derived ?? []),
            correlator.plotted(),
          ),
          intel: joinIntel(
            partials.flatMap(({ intel }) => intel ?? []),
            correlator.linked(),
          ),
        }
      : null,
    census: counts
      ? joinCensus(
          rules,
          partials.flatMap(({ census }) => census ?? []),
        )
      : null,
    raw: raw
      ? joinRaw(
          raw,
          kept.flatMap((one) => one.raw ?? []),
        )
      : null,
    costs: costs ? joinCosts(partials.flatMap((one) => (one.costs === null ? [] : [one.costs]))) : null,
    problems: [...problems, ...otherProblems, ...correlator.problems(ungrouped)],
    ...toldByOne(logType, partials),
  };
}

/** The one engine whose results a log is. */
function toldByOne(logType: LogType, partials: readonly PartialAnalysis[]): Pick<Analysis, 'toldBy'> {
  const [engine, another] = new Set(partials.flatMap(({ toldBy }) => toldBy));
  const isAll = logType === 'detection_results' && another === undefined;
  return isAll && engine !== undefined ? { toldBy: engine } : {};
}

/** What is kept of events that correlations alone found, as a further part of the log. */
function keepCorrelated(
  rules: RuleSet,
  { derive, raw }: MatchOptions,
  partials: readonly PartialAnalysis[],
  correlator: Correlator,
): Pick<PartialAnalysis, 'derived' | 'raw'> {
  const looked = partials.reduce((sum, { derived }) => sum + (derived?.events ?? 0), 0);
  const left = derive?.maxEvents === undefined ? undefined : Math.max(0, derive.maxEvents - looked);
  const deriver = derive ? new Deriver({ ...derive, maxEvents: left, counted: undefined }) : null;
  const collector = raw ? new RawCollector(reportingOf(rules), raw) : null;
  for (const { correlation, order, sample } of correlator.events()) {
    const { fields, ...head } = sample;
    deriver?.add(head, fields, [], order);
    collector?.addCorrelated(head, fields, rules.rules.length + correlation);
  }
  collector?.endPart(Number.POSITIVE_INFINITY);
  return { derived: deriver?.result() ?? null, raw: collector?.result() ?? null };
}

function joinStatistics(partials: readonly PartialAnalysis[]): Statistics | null {
  const counted = partials.flatMap(({ statistics }) => statistics ?? []);
  if (counted.length === 0) return null;
  const tally = new Tally();
  for (const part of counted) tally.merge(part);
  return tally.result();
}

function undecided(count: number, offset: number): ReadProblem[] {
  const message = 'A value was too long for a regular expression of its rule, which was taken not to match';
  return count === 0 ? [] : [{ code: 'regex_limit', message, offset, count }];
}

/** By titles, for results that tell no ids, and before those by ids. */
function placesByNames(rules: RuleSet['rules']): ReadonlyMap<string, number> {
  const byTitle = rules.map((rule, place) => [keyOfRule({ id: null, title: rule.title }), place] as const);
  return new Map([...byTitle, ...rules.map((rule, place) => [keyOfRule(rule), place] as const)]);
}

function unknownRules({ count, offset }: { readonly count: number; readonly offset: number }): ReadProblem[] {
  const message = 'A match is of a rule that is not among those looked for and was left out';
  return count === 0 ? [] : [{ code: 'rule-unknown', message, offset, count }];
}

/** Tells of records without a log source; nothing where one was stated for them. */
function unlabelledProblem(
  logSource: MatchOptions['logSource'],
  { count, offset }: { readonly count: number; readonly offset: number },
): ReadProblem[] {
  if (count === 0 || typeof logSource === 'object') return [];
  const told = 'Records do not tell what kind of log they are of';
  return logSource === 'any'
    ? [{ code: 'log-source-any', message: `${told}; the rules of all kinds were tried on them.`, offset, count }]
    : [{ code: 'log-source-unknown', message: `${told}, so no rule was tried on them.`, offset, count }];
}

/** What a run builds up and a later one with the same rules can use again. */
interface Run {
  readonly tables: EventTables;
  readonly matcher: Matcher;
}

const idle = new WeakMap<RuleSet, Run[]>();

/** Empties what earlier analyses with these rules remember of values; what they made of rules and templates stays. */
export function forgetValues(rules: RuleSet): void {
  for (const { tables } of idle.get(rules) ?? []) tables.values.clear();
}

function newRun({ rules }: RuleSet, valueBytes: number | undefined): Run {
  const tables = { fields: new FieldTable(), values: new ValueTable(valueBytes), routes: new RouteTable() };
  return { tables, matcher: new Matcher(rules, tables) };
}

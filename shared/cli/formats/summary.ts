import { stripVTControlCharacters } from 'node:util';
import { severities } from '@svc/domain';
import {
  type Count,
  countBySeverity,
  countByTactic,
  type MergedFinding,
  type SeverityCounts,
  worstComputers,
} from '../analysis/totals.ts';
import { type Run, ruleWarnings } from '../report.ts';
import { type Column, gridLines } from './grid.ts';
import { bold, faint, severityColours, severityLabels, type Style, warning } from './style.ts';
import { clock, counted, cut, duration, number, printable, rate, size } from './text.ts';

interface Place {
  readonly width: number;
  readonly style: Style;
}

/** Up to so many logs get a report each; more are reported together. */
export const mostReports = 5;

const shownRules = 10;
const shownWorst = 5;
/** More than these are told by `svc rules check`. */
const shownProblems = 3;
const barWidth = 16;
/** From here on two tables stand beside each other. */
const wideFrom = 100;

/** What a run came to, in as many lines as a screen has. */
export function summary(run: Run, place: Place, { withRules }: { readonly withRules: boolean }): string[] {
  const findings = run.totals.findings();
  const { style } = place;
  const blocks = [
    [style(bold, headline(run, findings))],
    beside(severityBlock(findings, place), tacticBlock(findings, place), place.width),
    ...(withRules ? [ruleBlock(findings, place)] : []),
    worstBlock('host', worstComputers(findings), place),
    ...(run.analyzed > mostReports ? [worstBlock('log', run.totals.worstLogs(), place)] : []),
    factLines(run, place),
    problemLines(run, place),
  ];
  return blocks.filter((lines) => lines.length > 0).flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

function headline({ analyzed, totals, isInterrupted, rules }: Run, findings: readonly MergedFinding[]): string {
  const state = isInterrupted ? 'Interrupted; so far ' : '';
  if (analyzed === 0) return `${state}${isInterrupted ? 'no' : 'No'} log was analysed`;
  if (rules.loaded === 0) return 'Nothing was looked for, as no rule was usable';
  const found = findings.length === 0 ? 'nothing was found' : foundText(findings);
  const where = `in ${counted(totals.events, 'event')} of ${counted(analyzed, 'log')}`;
  const sentence = `${state}${found} ${where}`;
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}`;
}

function foundText(findings: readonly MergedFinding[]): string {
  const events = findings.reduce((sum, { count }) => sum + count, 0);
  return `${counted(findings.length, 'rule')} matched ${counted(events, 'time')}`;
}

function severityBlock(findings: readonly MergedFinding[], place: Place): string[] {
  const counts = [...countBySeverity(findings)];
  return countTable(
    'severity',
    counts,
    place,
    ([severity]) => severityLabels[severity],
    ([severity]) => severityColours[severity],
  );
}

function tacticBlock(findings: readonly MergedFinding[], place: Place): string[] {
  const counts = [...countByTactic(findings)];
  return countTable('ATT&CK tactic', counts, place, ([tactic]) => tactic.replaceAll('_', ' '));
}

function countTable<K>(
  title: string,
  counts: readonly [K, Count][],
  { style }: Place,
  name: (row: [K, Count]) => string,
  nameStyle?: (row: [K, Count]) => string,
): string[] {
  if (counts.length === 0) return [];
  const most = Math.max(...counts.map(([, { findings }]) => findings));
  const columns: Column<[K, Count]>[] = [
    { title, cell: name, ...(nameStyle && { style: nameStyle }) },
    { title: 'rules', cell: ([, { findings }]) => number(findings), isNumber: true },
    { title: 'events', cell: ([, { events }]) => number(events), isNumber: true },
    { title: '', cell: ([, { findings }]) => bar(findings / most), style: nameStyle ?? (() => faint) },
  ];
  return gridLines(columns, counts, { width: Infinity, style });
}

/** A share as a bar, to the eighth of a character; never nothing. */
function bar(share: number): string {
  const eighths = Math.max(1, Math.round(share * barWidth * 8));
  return '█'.repeat(eighths >> 3) + (eighths % 8 === 0 ? '' : '▏▎▍▌▋▊▉'[(eighths % 8) - 1]!);
}

function ruleBlock(findings: readonly MergedFinding[], { width, style }: Place): string[] {
  const shown = findings.slice(0, shownRules);
  if (shown.length === 0) return [];
  const columns: Column<MergedFinding>[] = [
    {
      title: 'severity',
      cell: ({ severity }) => severityLabels[severity],
      style: ({ severity }) => severityColours[severity],
    },
    { title: 'events', cell: ({ count }) => number(count), isNumber: true },
    { title: 'top rules', cell: ({ ruleName }) => ruleName, flexible: 20 },
  ];
  return gridLines(columns, shown, { width, style });
}

/** The worst of hosts or logs, with the rules that matched there by severity. */
function worstBlock(noun: string, worst: readonly [string, SeverityCounts][], { width, style }: Place): string[] {
  if (worst.length < 2) return [];
  const columns: Column<[string, SeverityCounts]>[] = [
    { title: `worst of ${counted(worst.length, noun)}`, cell: ([name]) => name, flexible: 20, keepsEnd: true },
    ...severities.map((severity, at) => ({
      title: severityLabels[severity],
      cell: ([, counts]: [string, SeverityCounts]) => (counts[at] === 0 ? '·' : number(counts[at]!)),
      isNumber: true,
      style: ([, counts]: [string, SeverityCounts]) => (counts[at] === 0 ? faint : severityColours[severity]),
    })),
  ];
  return gridLines(columns, worst.slice(0, shownWorst), { width, style });
}

function factLines(run: Run, { width, style }: Place): string[] {
  const { analyzed, skipped, failed, totals, rules, rulesMs, bytes, durationMs, period } = run;
  const left = totals.outside + totals.untimed;
  const hint = rules.rejected.length > shownProblems ? ' (svc rules check tells why)' : '';
  const facts: [string, readonly (string | false)[]][] = [
    [
      'files',
      [
        `${number(analyzed)} analysed`,
        skipped.length > 0 && `${number(skipped.length)} skipped as no known log`,
        failed.length > 0 && `${number(failed.length)} failed`,
      ],
    ],
    [
      'rules',
      [
        `${number(rules.loaded)} in force`,
        rules.rejected.length > 0 && `${number(rules.rejected.length)} rejected${hint}`,
        rules.warnings.length > shownProblems && counted(rules.warnings.length, 'warning'),
        rules.retired.length > 0 && `${number(rules.retired.length)} retired`,
      ],
    ],
    ...(period === undefined
      ? []
      : ([['period', [periodText(period), `${counted(left, 'event')} left out`]]] as [string, string[]][])),
    [
      'time',
      [
        duration(durationMs),
        `${number(Math.round(totals.events / Math.max(0.001, durationMs / 1000)))} events/s`,
        `${rate(bytes, durationMs)} of ${size(bytes)}`,
        `rules loaded in ${duration(rulesMs)}`,
      ],
    ],
  ];
  return facts.map(([name, texts]) => {
    const text = texts.filter((part) => part !== false).join(', ');
    return `  ${style(faint, name.padEnd(6))}  ${cut(text, width - 10)}`;
  });
}

function periodText({ from = -Infinity, to = Infinity }: NonNullable<Run['period']>): string {
  if (from === -Infinity) return `before ${clock(iso(to))}`;
  if (to === Infinity) return `from ${clock(iso(from))} on`;
  return `${clock(iso(from))} to ${clock(iso(to))}`;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function problemLines({ rules }: Run, { style }: Place): string[] {
  const rejected = rules.rejected.map(({ path, line, message }) => `rule left out: ${path}:${line}: ${message}`);
  const warnings = ruleWarnings(rules).map((text) => `warning: ${text}`);
  return [rejected, warnings]
    .flatMap((lines) => (lines.length > shownProblems ? [] : lines))
    .map((line) => `  ${style(warning, printable(line))}`);
}

/** Two blocks in one where there is room, else one below the other. */
function beside(left: readonly string[], right: readonly string[], width: number): string[] {
  if (left.length === 0 || right.length === 0) return [...left, ...right];
  if (width < wideFrom) return [...left, '', ...right];
  const leftWidth = Math.max(...left.map((line) => visible(line)));
  const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const one = left[at] ?? '';
    const other = right[at];
    return other === undefined ? one : `${one}${' '.repeat(leftWidth - visible(one) + 4)}${other}`;
  });
  return lines;
}

function visible(line: string): number {
  return stripVTControlCharacters(line).length;
}

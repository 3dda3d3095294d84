import { logTypeLabels, severities, type Severity, tacticsOf, techniquesOf } from '@svc/domain';
import type { Finding } from '@svc/engine';
import { type AnalyzedFile, warningsOf } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { cut, number, printable, seconds } from './text.ts';

const colours: Readonly<Record<Severity, string>> = {
  critical: '1;31',
  high: '31',
  medium: '33',
  low: '34',
  informational: '90',
};

/** Rejected rules and warnings shown; JSON has all of them. */
const shownProblems = 10;

type Style = (code: string, text: string) => string;

/** A report for people: header, totals, a line per finding, and what went wrong. */
export function reportTable(analyzed: AnalyzedFile, { width, colour }: Pick<Terminal, 'width' | 'colour'>): string {
  const { file, sha256, analysis, rules, durationMs } = analyzed;
  const { findings } = analysis;
  const style: Style = (code, text) => (colour ? `\u001B[${code}m${text}\u001B[0m` : text);
  const lines = [
    style('1', printable(file)),
    `  ${logTypeLabels[analysis.logType]}, ${number(analysis.events)} events, ${number(rules.loaded)} rules, ${seconds(durationMs)}`,
    `  SHA-256 ${sha256}`,
    `  ${rules.loaded === 0 ? 'Nothing was looked for' : totals(findings, style)}`,
    ...(findings.length > 0 ? ['', ...findingLines(findings, width, style)] : []),
    ...problemLines(analyzed).map((line) => `  ${style('33', printable(line))}`),
  ];
  return `${lines.join('\n')}\n`;
}

function totals(findings: readonly Finding[], style: Style): string {
  const counts = severities
    .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => style(colours[severity], `${count} ${severity}`));
  if (counts.length === 0) return 'No findings';
  return `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}: ${counts.join(', ')}`;
}

interface Row {
  readonly severity: Severity;
  readonly count: string;
  readonly rule: string;
  readonly attack: string;
  readonly time: string;
}

/** A line per finding where the lines fit; else its times and ATT&CK tags go to a second line. */
function findingLines(findings: readonly Finding[], width: number, style: Style): string[] {
  const rows = findings.map(toRow);
  const [severity, count, rule, attack, time] = (['severity', 'count', 'rule', 'attack', 'time'] as const).map((key) =>
    Math.max(...rows.map((row) => row[key].length)),
  ) as [number, number, number, number, number];
  const start = severity + count + 6;
  const wide = start + rule + attack + time + 4 <= width;
  return rows.flatMap((row) => {
    const head = `  ${style(colours[row.severity], row.severity.padEnd(severity))}  ${row.count.padStart(count)}`;
    if (wide) return `${head}  ${row.rule.padEnd(rule)}  ${row.attack.padEnd(attack)}  ${row.time}`.trimEnd();
    const detail = [row.time, row.attack].filter((text) => text !== '').join('  ');
    return [
      `${head}  ${cut(row.rule, width - start)}`,
      `${' '.repeat(start)}${style('2', cut(detail, width - start))}`,
    ];
  });
}

function toRow({ severity, count, ruleName, tags, first, last }: Finding): Row {
  const tactics = tacticsOf(tags).map((tactic) => tactic.replaceAll('_', ' '));
  const attack = [techniquesOf(tags).join(' '), tactics.join(', ')].filter((text) => text !== '').join('  ');
  return {
    severity,
    count: number(count),
    rule: printable(ruleName),
    attack: printable(attack),
    time: span(first, last),
  };
}

function problemLines(analyzed: AnalyzedFile): string[] {
  const rejected = analyzed.rules.rejected.map(
    ({ path, line, message }) => `rule left out: ${path}:${line}: ${message}`,
  );
  return [rejected, warningsOf(analyzed).map((warning) => `warning: ${warning}`)].flatMap((lines) => {
    const more = lines.length - shownProblems;
    return more <= 0
      ? lines
      : [...lines.slice(0, shownProblems), `… and ${number(more)} more; --format json has them all`];
  });
}

/** First and last time to the second, UTC; the date once where it is the same. */
function span(first: string | null, last: string | null): string {
  if (first === null || last === null) return '';
  const [from, to] = [first, last].map((time) => time.slice(0, 19).replace('T', ' '));
  if (from === undefined || to === undefined || from === to) return from ?? '';
  return `${from} – ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to}`;
}

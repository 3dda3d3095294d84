import { logTypeLabels, type Severity, tacticsOf, techniquesOf } from '@svc/domain';
import type { Finding, LoadedRules } from '@svc/engine';
import { type AnalyzedLog, warningsOf } from '../report.ts';
import { evidenceLine } from './evidence-line.ts';
import { bold, faint, severityColours, type Style, warning } from './style.ts';
import { cut, number, printable, size, span, wrapped } from './text.ts';

/** Warnings shown of a log; JSON has all of them. */
const shownWarnings = 10;

/** A report on one log for people: what it is, a line per finding, and what went wrong. */
export function logReport(
  log: AnalyzedLog,
  rules: LoadedRules,
  { width, style }: { readonly width: number; readonly style: Style },
): string[] {
  const { file, bytes, sha256, analysis } = log;
  const { findings, logType, events } = analysis;
  const found = rules.loaded === 0 ? 'Nothing was looked for' : findings.length === 0 ? 'No findings' : '';
  return [
    style(bold, printable(file)),
    `  ${logTypeLabels[logType]}, ${number(events)} events, ${size(bytes)}`,
    ...hostLine(findings, width, style),
    ...(sha256 === null ? [] : [style(faint, `  SHA-256 ${sha256}`)]),
    ...(found === '' ? [] : [`  ${found}`]),
    ...toldLines(log.told?.happened, width),
    ...toldLines(log.told?.contents, width),
    ...(found === '' ? ['', ...findingLines(findings, width, style)] : []),
    ...warningLines(log, style),
  ];
}

/** A sentence each, whose further lines are indented. */
function toldLines(sentences: readonly string[] = [], width: number): string[] {
  const lines = sentences.flatMap((text) => wrapped(printable(text), width - 2));
  return lines.length === 0 ? [] : ['', ...lines.map((line) => `  ${line}`)];
}

/** The computers of the findings, as many as there is room for. */
function hostLine(findings: readonly Finding[], width: number, style: Style): string[] {
  const hosts = [...new Set(findings.flatMap(({ computers }) => computers))];
  if (hosts.length === 0) return [];
  return [
    style(
      faint,
      cut(printable(`  ${hosts.length === 1 ? 'Host' : `${number(hosts.length)} hosts:`} ${hosts.join(', ')}`), width),
    ),
  ];
}

interface Row {
  readonly severity: Severity;
  readonly count: string;
  readonly rule: string;
  readonly attack: string;
  readonly time: string;
  readonly evidence: string;
}

/** A line per finding where the lines fit, else its times and ATT&CK tags go to a second one; then what was seen. */
function findingLines(findings: readonly Finding[], width: number, style: Style): string[] {
  const withHost = new Set(findings.flatMap(({ computers }) => computers)).size > 1;
  const rows = findings.map((finding) => toRow(finding, withHost));
  const [severity, count, rule, attack, time] = (['severity', 'count', 'rule', 'attack', 'time'] as const).map((key) =>
    Math.max(...rows.map((row) => row[key].length)),
  ) as [number, number, number, number, number];
  const start = severity + count + 6;
  const wide = start + rule + attack + time + 4 <= width;
  return rows.flatMap((row) => {
    const head = `  ${style(severityColours[row.severity], row.severity)}${' '.repeat(severity - row.severity.length)}  ${row.count.padStart(count)}`;
    const evidence =
      row.evidence === '' ? [] : [`${' '.repeat(start)}${style(faint, cut(row.evidence, width - start))}`];
    if (wide) {
      return [`${head}  ${row.rule.padEnd(rule)}  ${row.attack.padEnd(attack)}  ${row.time}`.trimEnd(), ...evidence];
    }
    const detail = [row.time, row.attack].filter((text) => text !== '').join('  ');
    return [
      `${head}  ${cut(row.rule, width - start)}`,
      ...(detail === '' ? [] : [`${' '.repeat(start)}${style(faint, cut(detail, width - start))}`]),
      ...evidence,
    ];
  });
}

function toRow(finding: Finding, withHost: boolean): Row {
  const { severity, count, ruleName, tags, first, last } = finding;
  const tactics = tacticsOf(tags).map((tactic) => tactic.replaceAll('_', ' '));
  const attack = [techniquesOf(tags).join(' '), tactics.join(', ')].filter((text) => text !== '').join('  ');
  return {
    severity,
    count: number(count),
    rule: printable(ruleName),
    attack: printable(attack),
    time: span(first, last),
    evidence: evidenceLine(finding, { withHost }),
  };
}

function warningLines({ analysis }: AnalyzedLog, style: Style): string[] {
  const all = warningsOf(analysis);
  const more = all.length - shownWarnings;
  const shown = all.slice(0, more > 0 ? shownWarnings : all.length).map((text) => `warning: ${text}`);
  const rest = more > 0 ? [`… and ${number(more)} more; --format json has them all`] : [];
  const lines = [...shown, ...rest].map((line) => `  ${style(warning, printable(line))}`);
  return lines.length === 0 ? [] : ['', ...lines];
}

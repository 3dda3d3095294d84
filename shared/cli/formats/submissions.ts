import { severities, type Severity } from '@svc/domain';
import type { Batch } from '../submission/batch.ts';
import type { Outcome } from '../submission/outcome.ts';
import { type Column, gridLines } from './grid.ts';
import { severityColours, severityLabels, type Style, warning } from './style.ts';
import { counted, number, printable } from './text.ts';

const columns: readonly Column<Outcome>[] = [
  { title: 'file', cell: ({ file }) => file, flexible: 16, keepsEnd: true },
  {
    title: 'status',
    cell: ({ status, reused }) => `${status.replace('_', ' ')}${reused ? ', known' : ''}`,
    style: ({ status }) => (/completed|pending|running/.test(status) ? undefined : warning),
  },
  ...severities.map((severity) => severityColumn(severity)),
  { title: 'report', cell: ({ job_url: url }) => url ?? '' },
];

function severityColumn(severity: Severity): Column<Outcome> {
  const countOf = ({ severity_summary: summary }: Outcome): number => summary?.[severity] ?? 0;
  return {
    title: severityLabels[severity],
    cell: (outcome) => (outcome.severity_summary === null ? '' : number(countOf(outcome))),
    isNumber: true,
    style: (outcome) => (countOf(outcome) > 0 ? severityColours[severity] : undefined),
  };
}

/** A line per file, and the totals of all. */
export function submissionsTable(
  outcomes: readonly Outcome[],
  place: { readonly width: number; readonly style: Style },
): string {
  if (outcomes.length === 0) return '';
  return [...gridLines(columns, outcomes, place), '', totals(outcomes), ''].join('\n');
}

/** Address and verdict of what was submitted together. */
export function batchText({ url, verdict }: Batch): string {
  if (verdict === null) return `  verdict of all together: ${url}\n`;
  const { rules, matches, severities: found, hosts } = verdict;
  const bySeverity = found.map(({ severity, rules: many }) => `${number(many)} ${severity}`).join(', ');
  const [worst] = hosts;
  const lines = [
    rules.length === 0
      ? 'No rule matched in any of them.'
      : `${counted(rules.length, 'rule')} matched ${counted(matches, 'time')}: ${bySeverity}.`,
    worst && `Worst of ${counted(hosts.length, 'host')}: ${printable(worst.host)}.`,
    `Verdict: ${url}`,
  ];
  return lines.flatMap((line) => (line === undefined ? [] : `  ${line}\n`)).join('');
}

function totals(outcomes: readonly Outcome[]): string {
  const states = new Map<string, number>();
  for (const { status } of outcomes) states.set(status, (states.get(status) ?? 0) + 1);
  const parts = [...states].map(([status, count]) => `${number(count)} ${status.replace('_', ' ')}`);
  const known = outcomes.filter(({ reused }) => reused).length;
  if (known > 0) parts.push(`${number(known)} known from before`);
  const done = outcomes.filter(({ severity_summary: summary }) => summary !== null);
  const events = severities.flatMap((severity) => {
    const sum = done.reduce((all, { severity_summary: summary }) => all + (summary?.[severity] ?? 0), 0);
    return sum > 0 ? [`${number(sum)} ${severity}`] : [];
  });
  const found = done.length === 0 ? '' : `. Matched events: ${events.length > 0 ? events.join(', ') : 'none'}`;
  return `  ${counted(outcomes.length, 'file')}: ${parts.join(', ')}${found}.`;
}

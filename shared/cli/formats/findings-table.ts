import { techniquesOf } from '@svc/domain';
import type { MergedFinding } from '../analysis/totals.ts';
import { type Column, gridLines } from './grid.ts';
import { severityColours, severityLabels, type Style } from './style.ts';
import { number } from './text.ts';

const mostTechniques = 3;

const columns: readonly Column<MergedFinding>[] = [
  {
    title: 'severity',
    cell: ({ severity }) => severityLabels[severity],
    style: ({ severity }) => severityColours[severity],
  },
  { title: 'events', cell: ({ count }) => number(count), isNumber: true },
  { title: 'rule', cell: ({ ruleName }) => ruleName, flexible: 40 },
  { title: 'techniques', cell: ({ tags }) => techniquesIn(tags), rank: 5 },
  { title: 'hosts', cell: ({ computers }) => number(computers.size), isNumber: true, rank: 1 },
  { title: 'files', cell: ({ files }) => number(files), isNumber: true, rank: 2 },
  { title: 'first (UTC)', cell: ({ first }) => minute(first), rank: 3 },
  { title: 'last (UTC)', cell: ({ last }) => minute(last), rank: 4 },
];

/** A line per rule, for what it matched in all files. */
export function findingsTable(
  findings: readonly MergedFinding[],
  place: { readonly width: number; readonly style: Style },
): string[] {
  return gridLines(columns, findings, place);
}

function techniquesIn(tags: readonly string[]): string {
  const all = techniquesOf(tags);
  const more = all.length - mostTechniques;
  return [...all.slice(0, mostTechniques), ...(more > 0 ? [`+${more}`] : [])].join(' ');
}

function minute(time: string | null): string {
  return time === null ? '' : time.slice(0, 16).replace('T', ' ');
}

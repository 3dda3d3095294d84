import type { FindingRow } from '@svc/contracts';
import { csvLine } from './csv.ts';

/** A finding as a line of the table. */
export type TabledFinding = Pick<
  FindingRow,
  'severity' | 'rule_name' | 'rule_id' | 'count' | 'suppressed' | 'first_seen' | 'last_seen' | 'tags' | 'tool'
> & { readonly rule_author: string | null; readonly found_by: readonly string[] };

const head = [
  'severity',
  'rule',
  'rule_id',
  'events',
  'first_seen',
  'last_seen',
  'tags',
  'rule_author',
  'engine',
  'found_by',
  'suppressed',
];

/** Findings for spreadsheets: a head, then a line for each in their order; times are UTC, `events` the matched ones, `suppressed` of them those that the instance has suppressed. */
export function findingsCsv(findings: Iterable<TabledFinding>): string {
  const lines = Array.from(findings, (finding) =>
    csvLine([
      finding.severity,
      finding.rule_name,
      finding.rule_id,
      finding.count,
      finding.first_seen,
      finding.last_seen,
      finding.tags.join(' '),
      finding.rule_author,
      finding.tool,
      finding.found_by.join(' '),
      finding.suppressed ?? 0,
    ]),
  );
  return [csvLine(head), ...lines].join('');
}

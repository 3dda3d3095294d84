import { csvLine } from '@svc/application/report/shown/csv.ts';
import { type AnalyzedLog, toMatchedEvent } from '../report.ts';
import { matchesOf } from './matches.ts';
import type { Writer } from './writer.ts';

const header = [
  'timestamp',
  'severity',
  'rule_name',
  'rule_id',
  'rule_author',
  'computer',
  'channel',
  'event_id',
  'record_id',
  'tags',
  'file',
  'fields',
] as const;

/** A row per matched event (RFC 4180), its fields as JSON in the last cell. */
export function csvWriter(): Writer {
  return {
    begin: () => [csvLine(header)],
    add: rows,
    end: () => [],
    notes: () => [],
  };
}

function* rows(log: AnalyzedLog): Iterable<string> {
  for (const { finding, sample } of matchesOf(log)) {
    const { timestamp, computer, channel, event_id, record_id, fields } = toMatchedEvent(sample);
    const { severity, ruleName, ruleId, author, tags } = finding;
    yield csvLine([
      timestamp,
      severity,
      ruleName,
      ruleId,
      author,
      computer,
      channel,
      event_id,
      record_id,
      tags.join(' '),
      log.file,
      JSON.stringify(fields),
    ]);
  }
}

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
    begin: () => [`${header.join(',')}\r\n`],
    add: rows,
    end: () => [],
    notes: () => [],
  };
}

function* rows(log: AnalyzedLog): Iterable<string> {
  for (const { finding, sample } of matchesOf(log)) {
    const { timestamp, computer, channel, event_id, record_id, fields } = toMatchedEvent(sample);
    const { severity, ruleName, ruleId, author, tags } = finding;
    const cells = [
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
    ];
    yield `${cells.map(cell).join(',')}\r\n`;
  }
}

/** Programs that show tables would compute what begins like a formula, of whoever wrote it into the log. */
function cell(value: string | null): string {
  const text = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

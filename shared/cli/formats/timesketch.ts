import type { Sample } from '@svc/engine';
import type { AnalyzedLog } from '../report.ts';
import { matchesOf, type Match } from './matches.ts';
import { counted } from './text.ts';
import type { Writer } from './writer.ts';

/**
 * JSON lines as Timesketch imports them: one per matched event, with `message`, `datetime` and `timestamp_desc`, the
 * tags, and the event's fields as text, as an index has but one type for a name. Undated events have no place there.
 */
export function timesketchWriter(): Writer {
  let undated = 0;
  return {
    begin: () => [],
    *add(log) {
      for (const match of matchesOf(log)) {
        const { timestamp } = match.sample;
        if (timestamp === null) undated++;
        else yield `${JSON.stringify(toEvent(match, timestamp, log))}\n`;
      }
    },
    end: () => [],
    notes: () => (undated === 0 ? [] : [`${counted(undated, 'event')} left out, as without a time they have no place`]),
  };
}

function toEvent({ finding, sample }: Match, timestamp: string, { file }: AnalyzedLog): Record<string, unknown> {
  const { ruleName, ruleId, author, severity, tags } = finding;
  const { computer, channel, eventId, recordId, fields } = sample;
  const micros = microseconds(timestamp);
  const own = {
    message: `${ruleName}${messageOf(computer, channel, eventId)}`,
    datetime: `${timestamp.slice(0, 19)}.${String(micros % 1_000_000).padStart(6, '0')}+00:00`,
    timestamp: micros,
    timestamp_desc: 'Event Logged',
    data_type: 'sigma:match',
    tag: [severity, ...tags],
    rule_name: ruleName,
    rule_id: ruleId ?? '',
    rule_author: author ?? '',
    severity,
    computer: computer ?? '',
    channel: channel ?? '',
    event_id: eventId ?? '',
    record_id: recordId ?? '',
    source_file: file,
  };
  const others = Object.entries(fields).map(([name, value]): [string, string] => [nameIn(own, name), text(value)]);
  return { ...own, ...Object.fromEntries(others) };
}

function messageOf(computer: string | null, channel: string | null, eventId: string | null): string {
  const parts = [computer, channel, eventId].filter((part) => part !== null);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Exact to the microsecond, which `Date` is not. */
function microseconds(timestamp: string): number {
  const fraction = /\.(\d+)Z$/.exec(timestamp)?.[1] ?? '';
  return Math.floor(Date.parse(timestamp) / 1000) * 1_000_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}

/** Dots would make objects of names, and what begins with `_` belongs to the index. */
function nameIn(own: object, name: string): string {
  const plain = name.replace(/^_+/, '').replaceAll('.', '_');
  return plain === '' || Object.hasOwn(own, plain) ? `field_${plain}` : plain;
}

function text(value: Sample['fields'][string]): string {
  return Array.isArray(value) ? value.join('\n') : String(value);
}

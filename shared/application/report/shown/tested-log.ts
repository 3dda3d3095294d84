import type { TestedEvent, TestedJob } from '@svc/contracts';
import type { TriedLog, TriedMatch } from '@svc/engine';

/** Characters of a value that are shown. */
const longestValue = 4000;

/** What tested rules found in a log, as it is shown; kept events do not tell how many are of a log source. */
export function toTestedLog(
  { records, rules }: TriedLog,
  checked: 'log' | 'events',
): Pick<TestedJob, 'records' | 'rules' | 'events'> {
  return {
    records,
    rules: rules.map(({ title, count, ofSource }) => ({
      title,
      count,
      of_source: checked === 'log' ? ofSource : null,
    })),
    events: rules.flatMap(({ title, matches }) => matches.map((match) => toTestedEvent(title, match))),
  };
}

function toTestedEvent(
  rule: string,
  { recordId, timestamp, computer, channel, eventId, fields, reasons }: TriedMatch,
): TestedEvent {
  return {
    rule,
    record_id: recordId,
    timestamp,
    computer,
    channel,
    event_id: eventId,
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cut(value)])),
    reasons: reasons.map(({ part, key, found, values }) => ({
      part,
      key,
      found: found && found.map((text) => cut(text)),
      values: [...values],
    })),
  };
}

function cut<T>(value: T): T | string {
  return typeof value === 'string' && value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
}

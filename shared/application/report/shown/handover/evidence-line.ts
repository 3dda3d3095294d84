import type { MatchedEvent } from '@svc/contracts';
import { moment } from '@svc/domain';

/** Characters of a line of evidence; the report at its address has all of them. */
const longest = 400;

/** A matched event in one line: when, where, which, and the field that says most of it. */
export function evidenceLine(
  { timestamp, computer, event_id: eventId }: MatchedEvent,
  headline: { readonly name: string; readonly text: string } | undefined,
): string {
  const time = timestamp === null ? null : (moment(timestamp, true)?.utc ?? timestamp);
  const parts = [
    time,
    computer,
    eventId !== null && `event ${eventId}`,
    headline && `${headline.name}: ${headline.text}`,
  ];
  const line = parts.filter(Boolean).join(' · ').replace(/\s+/g, ' ').trim();
  const signs = Array.from(line);
  return signs.length > longest ? `${signs.slice(0, longest).join('')}…` : line;
}

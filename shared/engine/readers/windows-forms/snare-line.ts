import type { JsonObject } from '../json/json-value.ts';
import { decodePlain } from '../xml/xml-text.ts';
import { dotNetTime } from './dot-net-time.ts';
import { messageEvent } from './message-event.ts';

const TAB = 0x09;
const BLANK = 0x20;
const HASH = 0x23;
const mark = 'MSWinEventLog';
/** How rsyslog writes a tab. */
const escapedTab = '#011';
const longestHost = 256;

/** Where the values of such a line begin, and what they are apart by. */
export interface SnareStart {
  readonly at: number;
  readonly separator: string;
}

/**
 * Where what Snare's agent and those that write as it does send of a Windows event begins in the text at [start, end);
 * undefined where it is none. The name of the host may stand before it.
 */
export function snareStart(bytes: Uint8Array, start: number, end: number): SnareStart | undefined {
  const last = Math.min(end, start + longestHost);
  let at = start;
  while (at < last && bytes[at]! > BLANK && bytes[at] !== HASH) at++;
  if (at === last || (bytes[at] !== TAB && bytes[at] !== HASH)) return undefined;
  const separator = bytes[at] === TAB ? '\t' : escapedTab;
  const begin = separator === '\t' ? at + 1 : at + escapedTab.length;
  if (isMark(bytes, start, at)) return { at: begin, separator };
  return isMark(bytes, begin, begin + mark.length) && begin + mark.length < end
    ? { at: begin + mark.length + separator.length, separator }
    : undefined;
}

function isMark(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === mark.length && decodePlain(bytes, start, mark.length) === mark;
}

/**
 * The event in such values: criticality, log, a count, when, event id, source, account, its kind, outcome, computer,
 * category, data, message and mostly a count again. Undefined where they are not that.
 */
export function snareEvent(text: string, separator: string): JsonObject | undefined {
  const [, channel = '', , time = '', eventId = '', source = '', user, , , computer, category, strings, ...rest] = text
    .split(separator)
    .map((value) => value.trim());
  if (!/^\d{1,5}$/.test(eventId) || channel === '') return undefined;
  // A count of events ends the message, and programs on the way may have added more behind it.
  const count = rest.findIndex((value, at) => at > 0 && /^\d+(?: |$)/.test(value));
  const message = count < 0 ? rest : rest.slice(0, count);
  return messageEvent({
    channel,
    eventId,
    provider: source,
    time: dotNetTime(time),
    computer,
    user: user === 'N/A' ? undefined : user,
    task: category,
    message: message.join(' ') || (strings ?? ''),
  });
}

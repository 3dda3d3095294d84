import type { LogEvent } from '../../events/log-event.ts';
import { flattenEvent } from '../json/flatten-event.ts';
import type { JsonObject } from '../json/json-value.ts';
import { WindowsJsonEvent } from '../json/windows-json-event.ts';
import { eachExtension, eachLeefAttribute, type TakePair } from '../network/pairs.ts';
import type { ProblemLog } from '../problem-log.ts';
import { untoldData } from '../read-records.ts';
import type { EventTables } from '../reader.ts';
import { decodePlain } from '../xml/xml-text.ts';
import { type NamedLine, namedLineEvent } from './named-line.ts';
import { snareEvent, snareStart } from './snare-line.ts';
import { isDataUntold } from './untold-data.ts';

/** How far the header of a line is looked for. */
const longestHeader = 512;
const shortestLine = 32;
const longestLine = 1024 * 1024;
const header =
  /^(?:(CEF):\d+|LEEF:([12])\.\d)\|((?:[^|\\]|\\.)*)\|((?:[^|\\]|\\.)*)\|(?:[^|\\]|\\.)*\|((?:[^|\\]|\\.)*)\|(?:((?:[^|\\]|\\.)*)\|(?:[^|\\]|\\.)*\|)?/;
const winCollect = /^AgentDevice=\S+?[\t ]AgentLogFile=/;
/** Names of what connectors added have characters that no other names of CEF have, so they end up in values. */
const beforeAdded = / (?=ad\.[^ =]{1,100}=)/;
/** Values of WinCollect where a program on the way has made blanks of its tabs. */
const winCollectKey = / (?=[A-Z][A-Za-z]+=)/;

/** Whether a text at [start, end) begins like one of the forms, told by few bytes: readers ask it of every message. */
export function mayBeWindows(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < shortestLine) return false;
  const first = bytes[start];
  if (first === 0x43 && bytes[start + 1] === 0x45 && bytes[start + 2] === 0x46) return true;
  if (first === 0x4c && bytes[start + 1] === 0x45 && bytes[start + 3] === 0x46) return true;
  if (first === 0x41 && bytes[start + 5] === 0x44 && bytes[start + 11] === 0x3d) return true;
  return snareStart(bytes, start, end) !== undefined;
}

/**
 * Where in a line the mark of one of the forms may stand: behind the first group, in which there is what programs on
 * the way put before it.
 */
export const windowsMark =
  /^((?:<\d{1,3}>)?(?:[^|\t#]{0,200}[ >])?)(?:(?:[\w.-]+(?:\t|#011))?MSWinEventLog(?:\t|#011)|CEF:\d+\|[^|]{0,100}\||LEEF:[12]\.\d\||AgentDevice=)/;

/**
 * Finds Windows events that travel in lines of text: what Snare's agents, ArcSight's connectors, NXLog and WinCollect
 * send. One object for all lines of a log; readers of lines ask it first where a line may be one.
 */
export class WindowsLines {
  readonly #event: WindowsJsonEvent;
  readonly #problems: ProblemLog;

  constructor(tables: EventTables, problems: ProblemLog) {
    this.#event = new WindowsJsonEvent(tables, flattenEvent);
    this.#problems = problems;
  }

  /** The event in the text at [start, end), which begins with the mark of its form; undefined for any other text. */
  take(bytes: Uint8Array, start: number, end: number, offset: number): LogEvent | undefined {
    const event = eventAt(bytes, start, Math.min(end, start + longestLine));
    if (event === undefined) return undefined;
    if (isDataUntold(event)) this.#problems.add('event-data-untold', untoldData, offset);
    this.#event.take(event, offset);
    return this.#event;
  }
}

function eventAt(bytes: Uint8Array, start: number, end: number): JsonObject | undefined {
  const snare = snareStart(bytes, start, end);
  if (snare !== undefined) return snareEvent(decodePlain(bytes, snare.at, end - snare.at), snare.separator);
  const first = bytes[start];
  if (first === 0x43 || first === 0x4c) return common(bytes, start, end);
  return first === 0x41 ? collected(bytes, start, end) : undefined;
}

/** CEF and LEEF, whose header tells by vendor and number of the event whether to look further. */
function common(bytes: Uint8Array, start: number, end: number): JsonObject | undefined {
  const text = decodePlain(bytes, start, Math.min(end - start, longestHeader));
  const [whole, isCef, version, vendor = '', product = '', id = '', title = ''] = header.exec(text) ?? [];
  if (whole === undefined || !(vendor === 'Microsoft' || /nxlog|snare/i.test(vendor) || id.startsWith('Microsoft-')))
    return undefined;
  const pairs = new Map<string, string>();
  const add = (name: string, value: string): void => void (pairs.has(name) || pairs.set(name, plain(value)));
  const take: TakePair = (nameStart, nameEnd, from, to) => {
    const [own = '', ...added] = decodePlain(bytes, from, to - from).split(beforeAdded);
    add(decodePlain(bytes, nameStart, nameEnd - nameStart), own);
    for (const pair of added) add(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
  };
  // A header is of characters of one byte, but for its title.
  const from = start + new TextEncoder().encode(whole).length;
  if (isCef === undefined) eachLeefAttribute(bytes, from, end, version, take);
  else eachExtension(bytes, from, end, take);
  return namedLineEvent({ vendor, product, id: plain(id), title: plain(title), pairs } satisfies NamedLine);
}

/** What QRadar's WinCollect sends: names and values apart by tabs, the message last. */
function collected(bytes: Uint8Array, start: number, end: number): JsonObject | undefined {
  if (!winCollect.test(decodePlain(bytes, start, Math.min(end - start, longestHeader)))) return undefined;
  const text = decodePlain(bytes, start, end - start);
  const at = text.search(/[\t ]Message=/);
  const [head, message] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + ' Message='.length)];
  const pairs = new Map<string, string>();
  for (const pair of head.split(head.includes('\t') ? '\t' : winCollectKey)) {
    const equals = pair.indexOf('=');
    if (equals > 0) pairs.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
  pairs.set('Message', message);
  return namedLineEvent({ vendor: '', product: '', id: '', title: '', pairs });
}

/**
 * A value without the backslashes that its format asks for. Not all that write it do as it says: a path whose
 * backslashes stand alone is taken as it is.
 */
function plain(text: string): string {
  if (!text.includes('\\')) return text.trim();
  const isEscaped = /^(?:[^\\]|\\[\\=|nr"])*$/.test(text) && !/(?:^|[ "])[A-Za-z]:\\[^\\]/.test(text);
  if (!isEscaped) return text.replaceAll('\\=', '=').trim();
  return text.replace(/\\([\\=|nr"])/g, (_, char: string) => (char === 'n' ? '\n' : char === 'r' ? '\r' : char)).trim();
}

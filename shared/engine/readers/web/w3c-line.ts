import { findByte } from '../columns/find-byte.ts';
import type { ColumnEvent } from '../columns/column-event.ts';
import type { LineParser } from '../columns/line-reader.ts';
import { type Column, Layout } from '../columns/layout.ts';
import { firewall } from '../named/network-profiles.ts';
import type { Profile } from '../named/profile.ts';
import { proxy, webOrProxy, webserver } from '../named/web-profiles.ts';
import { decodePlain } from '../xml/xml-text.ts';

const TAB = 0x09;
const BLANK = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const DASH = 0x2d;
const longestHeader = 16_384;
/** Blanks within these values are written as plus signs. */
const withPlus = /^cs\((?:user-agent|cookie|referer)\)$/i;

const dated = (profile: Profile): Profile => ({
  ...profile,
  derived: {
    ...profile.derived,
    datetime: (text) => {
      const [date, time] = [text('date'), text('time')];
      return date === undefined || time === undefined ? undefined : `${date} ${time}`;
    },
  },
  head: { ...profile.head, time: ['datetime', ...profile.head.time] },
});
const profiles = {
  firewall: dated(firewall),
  proxy: dated(proxy),
  webserver: dated(webserver),
  either: dated(webOrProxy),
};

/** What IIS writes unless told otherwise: a piece of a log may lack the line that says so. Older ones have no referer. */
const iisFields =
  'date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) ' +
  'sc-status sc-substatus sc-win32-status time-taken';
export const iisLine =
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [\da-f.:%]+ [A-Z-]{3,16} \/\S* \S+ \d{1,5} \S+ [\da-f.:%]+ \S+ (\S+ )?\d{3} \d+ \d+ \d+\s*$/i;
const longestLine = 65_536;

/** Whether the line is a directive of the W3C extended format. */
export function isDirective(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === 0x23;
}

/** Parses W3C extended logs (IIS, proxies, Windows firewall), whose `#Fields` may change at any line. */
export class W3cLine implements LineParser {
  #layout: Layout | undefined;
  #fields = '';
  #software = '';
  #date = '';

  /** Whether a `#Fields` line has come. */
  get isBegun(): boolean {
    return this.#layout !== undefined;
  }

  /** Whether the line is one of IIS, which then begins a log without a `#Fields` line. */
  begins(bytes: Uint8Array, start: number, end: number): boolean {
    const isDated = bytes[start + 4] === DASH && bytes[start + 10] === BLANK && end - start < longestLine;
    const found = isDated ? iisLine.exec(decodePlain(bytes, start, end - start)) : null;
    if (found === null) return false;
    this.#software = 'Internet Information Services';
    this.#fields = found[1] === undefined ? iisFields.replace(' cs(Referer)', '') : iisFields;
    this.#layout = this.#makeLayout();
    return true;
  }

  parse(
    event: ColumnEvent,
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
  ): 'record' | 'skip' | 'malformed' {
    if (isDirective(bytes, start)) {
      this.#directive(decodePlain(bytes, start, Math.min(end - start, longestHeader)));
      return 'skip';
    }
    const layout = this.#layout;
    if (layout === undefined) return 'malformed';
    event.begin(layout, bytes, start, end, offset);
    const found = split(event, bytes, start, end, layout.columns.length);
    return found * 2 < layout.columns.length ? 'malformed' : 'record';
  }

  #directive(line: string): void {
    const [, name = '', text = ''] = /^#([\w-]+):\s*(.*)$/s.exec(line) ?? [];
    if (name === 'Software') this.#software = text;
    else if (name === 'Date') this.#date = text.trim().split(/[T ]/, 1)[0]!;
    else if (name === 'Fields') this.#fields = text;
    else return;
    if (this.#fields !== '') this.#layout = this.#makeLayout();
  }

  #makeLayout(): Layout {
    const names = this.#fields.trim().split(/\s+/);
    const columns = names.map((name): Column =>
      withPlus.test(name) ? { name, second: { mark: PLUS, text: withBlanks } } : { name },
    );
    const lacksDate = !names.includes('date') && this.#date !== '';
    return new Layout(columns, this.#profile(names), new Map(lacksDate ? [['date', this.#date]] : []));
  }

  #profile(names: readonly string[]): Profile {
    if (names.includes('src-ip') && names.includes('dst-ip')) return profiles.firewall;
    if (/Internet Information Services/i.test(this.#software)) return profiles.webserver;
    const isProxy = names.some((name) => /^(?:r-|rs\(|cs-uri-scheme$|s-hierarchy|c-uri)/.test(name));
    return isProxy ? profiles.proxy : profiles.either;
  }
}

function withBlanks(text: string): string {
  return text.replaceAll('+', ' ');
}

/** Sets the columns, which are apart by one blank or, in some logs, by one tab; returns how many there are. */
function split(event: ColumnEvent, bytes: Uint8Array, start: number, end: number, count: number): number {
  const separator = findByte(bytes, TAB, start, end) >= 0 ? TAB : BLANK;
  let column = 0;
  for (let at = start; at <= end && column < count; column++) {
    const quoted = bytes[at] === QUOTE ? closingQuote(bytes, at, end, separator) : -1;
    const found = quoted >= 0 ? quoted + 1 : findByte(bytes, separator, at, end);
    const stop = found < 0 ? end : found;
    const from = quoted >= 0 ? at + 1 : at;
    const to = quoted >= 0 ? quoted : stop;
    if (to > from && (to - from > 1 || bytes[from] !== DASH)) event.set(column, from, to);
    at = stop + 1;
  }
  return column;
}

function closingQuote(bytes: Uint8Array, open: number, end: number, separator: number): number {
  for (let at = findByte(bytes, QUOTE, open + 1, end); at >= 0; at = findByte(bytes, QUOTE, at + 1, end)) {
    if (at + 1 === end || bytes[at + 1] === separator) return at;
  }
  return -1;
}

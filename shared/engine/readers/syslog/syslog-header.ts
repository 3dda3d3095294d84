import { isDigit, isoEnd, isWeekday, timeEnd } from './syslog-time.ts';

const TAB = 0x09;
const BLANK = 0x20;
const QUOTE = 0x22;
const PERCENT = 0x25;
const HYPHEN = 0x2d;
const COLON = 0x3a;
const LESS = 0x3c;
const GREATER = 0x3e;
const BRACKET_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_CLOSE = 0x5d;

const longestTag = 128;
/** Routers say who, which message and when in ways of their own. */
const router =
  /^(?:([\w.:-]+) +)?(?:\d+: +)?(?:([\w.-]+): +)?[*.]?([A-Z][a-z]{2} +\d{1,2}(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d+)?)(?: [A-Z]{2,5})?: (?=%)/;
const longestRouterHead = 160;
const streams = ['stdout', 'stderr'];

/** A stretch of the bytes; empty where there is none. */
export interface Stretch {
  start: number;
  end: number;
}

/**
 * What the head of a system log message says: RFC 3164 with or without priority, RFC 5424, ISO times
 * as rsyslog writes them, and the forms of routers, containers and vsftpd.
 */
export class SyslogHeader {
  /** Facility × 8 + severity; -1 where the message does not say. */
  priority = -1;
  readonly time = nothing();
  readonly host = nothing();
  readonly program = nothing();
  readonly pid = nothing();
  readonly msgid = nothing();
  /** The structured data of RFC 5424. */
  readonly structured = nothing();
  /** Where the message begins. */
  message = 0;
  /** Whether the line is in the form of vsftpd's own log, which does not name it. */
  isVsftpd = false;
  readonly #parts = [this.time, this.host, this.program, this.pid, this.msgid, this.structured];
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;

  /** Reads the line at [start, end); false when it is not the first one of a message. */
  parse(bytes: Uint8Array, start: number, end: number): boolean {
    this.#bytes = bytes;
    this.#end = end;
    this.priority = -1;
    this.isVsftpd = false;
    for (const part of this.#parts) part.start = part.end = 0;
    const at = this.#takePriority(start);
    if (at === start) return this.#fromTime(at) || this.#fromRouter(at);
    const standard = this.#afterVersion(at);
    if (standard > at) return this.#standard(standard);
    const next = this.#afterBlanks(at);
    return this.#fromTime(next) || this.#fromRouter(next) || this.#tag(next);
  }

  /** The same, for bytes without a head: all of them are the message. */
  none(start: number): void {
    this.priority = -1;
    this.isVsftpd = false;
    for (const part of this.#parts) part.start = part.end = 0;
    this.message = start;
  }

  /** The first `count` bytes are gone. */
  shift(count: number): void {
    for (const part of this.#parts) {
      part.start -= count;
      part.end -= count;
    }
    this.message -= count;
  }

  /** `<13>`; gives the place behind it. */
  #takePriority(start: number): number {
    const bytes = this.#bytes;
    if (bytes[start] !== LESS) return start;
    let at = start + 1;
    let priority = 0;
    for (; at < start + 4 && isDigit(bytes[at]); at++) priority = priority * 10 + bytes[at]! - 0x30;
    if (at === start + 1 || bytes[at] !== GREATER || at >= this.#end) return start;
    this.priority = priority;
    return at + 1;
  }

  /** Behind the version of RFC 5424, where a time or the sign for none must stand. */
  #afterVersion(at: number): number {
    const bytes = this.#bytes;
    let next = at;
    while (next < at + 2 && isDigit(bytes[next])) next++;
    if (next === at || bytes[next] !== BLANK) return at;
    next = this.#afterBlanks(next);
    const hasNone = bytes[next] === HYPHEN && bytes[next + 1] === BLANK;
    return hasNone || isoEnd(bytes, next, this.#end) > 0 ? next : at;
  }

  /** TIMESTAMP HOSTNAME APP-NAME PROCID MSGID STRUCTURED-DATA MSG. */
  #standard(start: number): boolean {
    const bytes = this.#bytes;
    let at = start;
    for (const part of [this.time, this.host, this.program, this.pid, this.msgid]) {
      const end = this.#wordEnd(at);
      if (end - at !== 1 || bytes[at] !== HYPHEN) set(part, at, end);
      at = Math.min(end + 1, this.#end);
    }
    let end = bytes[at] === HYPHEN && at < this.#end ? at + 1 : at;
    if (bytes[at] === BRACKET_OPEN) {
      end = this.#structuredEnd(at);
      set(this.structured, at, end);
    }
    at = this.#afterBlanks(end);
    const isMarked = bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf && at + 3 <= this.#end;
    return this.#text(isMarked ? at + 3 : at);
  }

  #structuredEnd(start: number): number {
    const bytes = this.#bytes;
    let isQuoted = false;
    for (let at = start; at < this.#end; at++) {
      const byte = bytes[at]!;
      if (byte === BACKSLASH && isQuoted) at++;
      else if (byte === QUOTE) isQuoted = !isQuoted;
      else if (!isQuoted && byte === BRACKET_CLOSE && bytes[at + 1] !== BRACKET_OPEN) return at + 1;
    }
    return this.#end;
  }

  #fromTime(at: number): boolean {
    const bytes = this.#bytes;
    const end = timeEnd(bytes, at, this.#end);
    if (end < 0) return false;
    set(this.time, at, end);
    const next = this.#afterBlanks(end);
    if (bytes[end] === COLON && end < this.#end) return this.#text(this.#afterBlanks(end + 1));
    if (isWeekday(bytes, at) && this.#fromVsftpd(next)) return true;
    return this.#fromContainer(next) || this.#hostAndTag(next);
  }

  #hostAndTag(start: number): boolean {
    const end = this.#hostEnd(start);
    // A message that names no host begins with its program.
    if (end === start || this.#bytes[end - 1] === COLON) return this.#tag(start);
    set(this.host, start, end);
    return this.#tag(this.#bytes[end] === TAB ? end + 1 : this.#afterBlanks(end));
  }

  /** `program[pid]: message`, of which only the message must be there. */
  #tag(start: number): boolean {
    const bytes = this.#bytes;
    const last = Math.min(this.#end, start + longestTag);
    let at = start;
    while (at < last && !isTagEnd(bytes[at]!)) at++;
    const programEnd = at;
    let pid = at;
    let pidEnd = at;
    if (bytes[at] === BRACKET_OPEN && at < last) {
      pid = pidEnd = at + 1;
      while (pidEnd < last && bytes[pidEnd] !== BRACKET_CLOSE) pidEnd++;
      at = pidEnd + 1;
    } else if (bytes[at] === BRACKET_CLOSE) {
      at++;
    }
    if (programEnd === start || at >= last || bytes[at] !== COLON) return this.#text(start);
    set(this.program, start, programEnd);
    if (pidEnd > pid) set(this.pid, pid, pidEnd);
    at++;
    return this.#text(at < this.#end && bytes[at] === BLANK ? at + 1 : at);
  }

  /** `stdout F message`. */
  #fromContainer(start: number): boolean {
    const bytes = this.#bytes;
    const end = this.#wordEnd(start);
    const flag = bytes[end + 1];
    if (end - start !== 6 || (flag !== 0x50 && flag !== 0x46) || bytes[end + 2] !== BLANK) return false;
    return streams.some((stream) => this.#hasWord(start, stream)) && this.#text(Math.min(end + 3, this.#end));
  }

  /** `[pid 2] message`. */
  #fromVsftpd(start: number): boolean {
    if (!this.#hasWord(start, '[pid ')) return false;
    const pid = start + 5;
    let end = pid;
    while (end < this.#end && isDigit(this.#bytes[end])) end++;
    if (end >= this.#end || this.#bytes[end] !== BRACKET_CLOSE) return false;
    set(this.pid, pid, end);
    this.isVsftpd = true;
    return this.#text(this.#afterBlanks(end + 1));
  }

  /** `10.0.0.1 6705: Feb 17 13:40:03.673: %PARSER-5-…`. */
  #fromRouter(start: number): boolean {
    const last = Math.min(this.#end, start + longestRouterHead);
    let at = start;
    while (at < last && this.#bytes[at] !== PERCENT) at++;
    if (at === last) return false;
    const found = router.exec(String.fromCharCode(...this.#bytes.subarray(start, last)));
    if (found === null) return false;
    const [whole, address, name, time] = found;
    const host = name ?? address;
    const hostAt = start + whole.indexOf(host ?? '');
    if (host !== undefined && !/^\d+:?$/.test(host)) set(this.host, hostAt, hostAt + host.replace(/:$/, '').length);
    const timeAt = start + whole.indexOf(time!);
    set(this.time, timeAt, timeAt + time!.length);
    return this.#text(start + whole.length);
  }

  #text(at: number): boolean {
    this.message = Math.min(at, this.#end);
    return true;
  }

  #hasWord(at: number, word: string): boolean {
    for (let i = 0; i < word.length; i++) if (this.#bytes[at + i] !== word.charCodeAt(i)) return false;
    return at + word.length <= this.#end;
  }

  /** Snare's agents write a tab behind the host. */
  #hostEnd(start: number): number {
    let at = start;
    while (at < this.#end && this.#bytes[at] !== BLANK && this.#bytes[at] !== TAB) at++;
    return at;
  }

  #wordEnd(start: number): number {
    let at = start;
    while (at < this.#end && this.#bytes[at] !== BLANK) at++;
    return at;
  }

  #afterBlanks(start: number): number {
    let at = start;
    while (at < this.#end && this.#bytes[at] === BLANK) at++;
    return at;
  }
}

function isTagEnd(byte: number): boolean {
  return byte <= BLANK || byte === COLON || byte === BRACKET_OPEN || byte === BRACKET_CLOSE;
}

function nothing(): Stretch {
  return { start: 0, end: 0 };
}

function set(part: Stretch, start: number, end: number): void {
  part.start = start;
  part.end = end;
}

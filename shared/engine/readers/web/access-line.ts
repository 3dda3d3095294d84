import { findByte } from '../columns/find-byte.ts';
import type { ColumnEvent } from '../columns/column-event.ts';
import type { LineParser } from '../columns/line-reader.ts';
import { Layout } from '../columns/layout.ts';
import { apacheError, nginxError, proxy, webserver } from '../named/web-profiles.ts';
import { LineTokens } from './line-tokens.ts';

const BLANK = 0x20;
const DASH = 0x2d;
const QUESTION = 0x3f;
const SLASH = 0x2f;
const COLON = 0x3a;

const accessNames = ['c-ip', 'cs-username', 'time', 'cs-method', 'cs-uri', 'cs-uri-stem', 'cs-uri-query', 'cs-version'];
const answerNames = [
  'sc-status',
  'sc-bytes',
  'cs-referer',
  'cs-user-agent',
  'cs-host',
  'request',
  's-ip',
  'url',
  's-port',
];
const columns = [...accessNames, ...answerNames].map((name) => ({ name }));
const column = Object.fromEntries(columns.map(({ name }, slot) => [name, slot])) as Readonly<Record<string, number>>;

/** Common and combined logs, with or without a virtual host before; nginx's default is the combined one. */
export const accessLayout = new Layout(columns, webserver);
const squidLayout = new Layout(columns, proxy);
const errorColumns = ['time', 'level', 'message'].map((name) => ({ name }));
const apacheErrorLayout = new Layout(errorColumns, apacheError);
const nginxErrorLayout = new Layout(errorColumns, nginxError);

/** Parses lines of access and error logs, each by its own form. */
export class AccessLine implements LineParser {
  readonly #tokens = new LineTokens();

  parse(event: ColumnEvent, bytes: Uint8Array, start: number, end: number, offset: number): 'record' | 'malformed' {
    const tokens = this.#tokens;
    tokens.split(bytes, start, end);
    const { count, bracketed, starts, ends } = tokens;
    if (bracketed[0] === 1) return this.#apacheError(event, bytes, start, end, offset);
    for (let time = 1; time < count && time < 6; time++) {
      if (bracketed[time] === 1 && count > time + 2 && isAccessTime(bytes, starts[time]!, ends[time]!))
        return this.#access(event, bytes, start, end, offset, time);
    }
    if (bracketed[2] === 1) return this.#nginxError(event, bytes, start, end, offset);
    for (let time = 0; time < 2; time++) {
      if (count > time + 12 && hasTime(bytes, starts[time]!, ends[time]!))
        return this.#loadBalancer(event, bytes, start, end, offset, time);
    }
    return count >= 7 ? this.#squid(event, bytes, start, end, offset) : 'malformed';
  }

  /** @param time the word that is the time; what stands before and behind goes by its place. */
  #access(event: ColumnEvent, bytes: Uint8Array, start: number, end: number, offset: number, time: number): 'record' {
    event.begin(accessLayout, bytes, start, end, offset);
    const hasHost = time >= 4;
    this.#set(event, bytes, 'c-ip', hasHost ? 1 : 0);
    if (hasHost) this.#host(event, bytes);
    if (time >= 3) this.#set(event, bytes, 'cs-username', time - 1);
    this.#set(event, bytes, 'time', time);
    this.#request(event, bytes, time + 1);
    this.#set(event, bytes, 'sc-status', time + 2);
    this.#set(event, bytes, 'sc-bytes', time + 3);
    this.#set(event, bytes, 'cs-referer', time + 4);
    this.#set(event, bytes, 'cs-user-agent', time + 5);
    return 'record';
  }

  /** An AWS load balancer's line: classic ones begin with the time, others have the protocol before. */
  #loadBalancer(
    event: ColumnEvent,
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
    time: number,
  ): 'record' {
    event.begin(accessLayout, bytes, start, end, offset);
    this.#set(event, bytes, 'time', time);
    this.#address(event, bytes, 'c-ip', time + 2);
    this.#address(event, bytes, 's-ip', time + 3);
    this.#set(event, bytes, 'sc-status', time + 7);
    this.#set(event, bytes, 'sc-bytes', time + 10);
    this.#request(event, bytes, time + 11);
    this.#set(event, bytes, 'cs-user-agent', time + 12);
    this.#set(event, bytes, 'cs-host', time + 17);
    return 'record';
  }

  /** Squid's own form: time, duration, client, result and status, bytes, method, URL, user. */
  #squid(event: ColumnEvent, bytes: Uint8Array, start: number, end: number, offset: number): 'record' | 'malformed' {
    const { starts, ends } = this.#tokens;
    const slash = findByte(bytes, SLASH, starts[3]!, ends[3]!);
    if (slash < 0 || !isDigit(bytes[start]!)) return 'malformed';
    event.begin(squidLayout, bytes, start, end, offset);
    this.#set(event, bytes, 'time', 0);
    this.#set(event, bytes, 'c-ip', 2);
    event.set(column['sc-status']!, slash + 1, ends[3]!);
    this.#set(event, bytes, 'sc-bytes', 4);
    this.#set(event, bytes, 'cs-method', 5);
    this.#set(event, bytes, 'url', 6);
    this.#set(event, bytes, 'cs-username', 7);
    return 'record';
  }

  #apacheError(
    event: ColumnEvent,
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
  ): 'record' | 'malformed' {
    const { bracketed, count, starts, ends } = this.#tokens;
    if (count < 3 || bracketed[1] !== 1) return 'malformed';
    event.begin(apacheErrorLayout, bytes, start, end, offset);
    event.set(0, starts[0]!, ends[0]!);
    event.set(1, starts[1]!, ends[1]!);
    event.set(2, starts[2]!, end);
    return 'record';
  }

  #nginxError(
    event: ColumnEvent,
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
  ): 'record' | 'malformed' {
    const { bracketed, count, starts, ends } = this.#tokens;
    if (count < 4 || bracketed[2] !== 1 || !isDigit(bytes[start]!)) return 'malformed';
    event.begin(nginxErrorLayout, bytes, start, end, offset);
    event.set(0, starts[0]!, ends[1]!);
    event.set(1, starts[2]!, ends[2]!);
    event.set(2, starts[3]!, end);
    return 'record';
  }

  /** `GET /path?query HTTP/1.1`, and whatever else clients send. */
  #request(event: ColumnEvent, bytes: Uint8Array, token: number): void {
    const start = this.#tokens.starts[token]!;
    const end = this.#tokens.ends[token]!;
    event.set(column['request']!, start, end);
    const first = findByte(bytes, BLANK, start, end);
    if (first < 0) return;
    const last = bytes.lastIndexOf(BLANK, end - 1);
    const version = last > first && bytes[last + 1] === 0x48 ? last : end;
    event.set(column['cs-method']!, start, first);
    if (version < end) event.set(column['cs-version']!, version + 1, end);
    const target = originOf(bytes, first + 1, version);
    if (target > first + 1) event.set(column['url']!, first + 1, version);
    event.set(column['cs-uri']!, target, version);
    const query = findByte(bytes, QUESTION, target, version);
    event.set(column['cs-uri-stem']!, target, query < 0 ? version : query);
    if (query >= 0) event.set(column['cs-uri-query']!, query + 1, version);
  }

  #set(event: ColumnEvent, bytes: Uint8Array, name: string, token: number): void {
    if (token >= this.#tokens.count) return;
    const start = this.#tokens.starts[token]!;
    const end = this.#tokens.ends[token]!;
    if (end - start !== 1 || bytes[start] !== DASH) event.set(column[name]!, start, end);
  }

  /** The virtual host before the line itself, and its port. */
  #host(event: ColumnEvent, bytes: Uint8Array): void {
    const [start, end] = [this.#tokens.starts[0]!, this.#tokens.ends[0]!];
    const colon = bytes.lastIndexOf(COLON, end - 1);
    const hasPort = colon > start && colon < end - 1 && isDigit(bytes[colon + 1]!);
    event.set(column['cs-host']!, start, hasPort ? colon : end);
    if (hasPort) event.set(column['s-port']!, colon + 1, end);
  }

  /** An address without its port. */
  #address(event: ColumnEvent, bytes: Uint8Array, name: string, token: number): void {
    const start = this.#tokens.starts[token]!;
    const colon = bytes.lastIndexOf(COLON, this.#tokens.ends[token]! - 1);
    if (colon > start) event.set(column[name]!, start, colon);
  }
}

/** Place of the path in a target that names its server too; of the target itself in others. */
function originOf(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === SLASH) return start;
  const colon = findByte(bytes, COLON, start, Math.min(end, start + 8));
  if (colon < 0 || bytes[colon + 1] !== SLASH || bytes[colon + 2] !== SLASH) return start;
  const path = findByte(bytes, SLASH, colon + 3, end);
  return path < 0 ? start : path;
}

/** Whether it begins like `17/May/2015:10:05:03`. */
function isAccessTime(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 19 && (bytes[start + 1] === SLASH || bytes[start + 2] === SLASH);
}

function hasTime(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 19 && bytes[start + 4] === DASH && isDigit(bytes[start]!) && bytes[start + 10] === 0x54;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

import type { Decode } from '../../events/byte-interner.ts';
import type { ColumnEvent } from '../columns/column-event.ts';
import type { Column, Layout } from '../columns/layout.ts';
import { LayoutTree } from '../columns/layout-tree.ts';
import type { LineOutcome, LineParser } from '../columns/line-reader.ts';
import { ciscoMessage, firewall, fortigate, ftpServer, globalprotect, paloalto } from '../named/network-profiles.ts';
import type { Profile } from '../named/profile.ts';
import { isDirective, W3cLine } from '../web/w3c-line.ts';
import type { ProblemLog } from '../problem-log.ts';
import type { EventTables } from '../reader.ts';
import { WindowsLines, windowsMark } from '../windows-forms/windows-lines.ts';
import { decodePlain } from '../xml/xml-text.ts';
import { eachColumn, panOsBegin } from './pan-os.ts';
import { eachExtension, eachLeefAttribute, eachWord, type TakePair } from './pairs.ts';

const PIPE = 0x7c;
const BACKSLASH = 0x5c;
const longestPrefix = 512;
/** A character for every byte, so that what is found stands at the same place in the bytes, whatever they are. */
const bytesAsText = new TextDecoder('latin1');
const commonFormat = /(CEF):\d+\||(LEEF):([12])\.0\|/;
const cisco = /%[A-Z][A-Z0-9_]+-\d-[A-Z0-9_]+:/;
/** `Mon Jun  6 18:43:28 2016 [pid 2] `, as vsftpd begins its lines. */
const ftp = /^(\w{3} \w{3} +\d{1,2} [\d:]{8} \d{4}) \[pid (\d+)\] /;
const ciscoTime = /\w{3} +\d{1,2} (?:\d{4} )?\d\d:\d\d:\d\d/;
const headerNames = ['vendor', 'product', 'version', 'id'];

/** Backslashes before `=`, `|`, `"` and themselves, and for line breaks. */
const decodeEscapes: Decode = (bytes, offset, byteLength) =>
  decodePlain(bytes, offset, byteLength).replace(/\\([\\=|"nr])/g, (_, char: string) =>
    char === 'n' ? '\n' : char === 'r' ? '\r' : char,
  );

const column = (name: string): Column => ({ name, escapes: { mark: BACKSLASH, decode: decodeEscapes } });

/** Parses lines of firewalls and appliances: CEF, LEEF, key=value, Cisco's messages, Windows' firewall log. */
export class NetworkLine implements LineParser {
  readonly #tree = new LayoutTree(column);
  readonly #w3c = new W3cLine();
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #windows: WindowsLines;

  constructor(tables: EventTables, problems: ProblemLog) {
    this.#windows = new WindowsLines(tables, problems);
  }

  parse(event: ColumnEvent, bytes: Uint8Array, start: number, end: number, offset: number): LineOutcome {
    if (this.#w3c.isBegun || isDirective(bytes, start)) return this.#w3c.parse(event, bytes, start, end, offset);
    const prefix = bytesAsText.decode(bytes.subarray(start, Math.min(end, start + longestPrefix)));
    const mark = windowsMark.exec(prefix);
    const windows = mark === null ? undefined : this.#windows.take(bytes, start + mark[1]!.length, end, offset);
    if (windows !== undefined) return windows;
    this.#tree.start();
    this.#starts.length = this.#ends.length = 0;
    const profile = this.#pairs(bytes, start, end, prefix);
    if (profile === undefined) return 'malformed';
    const layout = this.#tree.finish(profile);
    this.#place(event, layout, bytes, start, end, offset);
    return 'record';
  }

  /** Finds the pairs of a line by its form. */
  #pairs(bytes: Uint8Array, start: number, end: number, prefix: string): Profile | undefined {
    const common = commonFormat.exec(prefix);
    if (common !== null) return this.#common(bytes, start + common.index + common[0].length, end, common);
    if (cisco.test(prefix)) return this.#cisco(start, end, prefix);
    const panOs = panOsBegin(prefix);
    if (panOs !== undefined) {
      eachColumn(bytes, start + panOs.at, end, panOs.kind, (name, from, to) => this.#push(name, from, to));
      return panOs.kind === 'GLOBALPROTECT' ? globalprotect : paloalto;
    }
    const begin = ftp.exec(prefix);
    if (begin !== null) return this.#ftp(start, end, begin);
    eachWord(bytes, start, end, this.#take(bytes));
    if (this.#starts.length < 2) return undefined;
    return /(?:^|\s)(?:devname|devid|logid|vd)=/.test(prefix) ? fortigate : firewall;
  }

  /** CEF and LEEF: a header of texts apart by bars, then pairs. */
  #common(bytes: Uint8Array, start: number, end: number, [, isCef, , version]: RegExpExecArray): Profile | undefined {
    const names = isCef === undefined ? headerNames : [...headerNames, 'name', 'severity'];
    let at = start;
    let vendor = '';
    for (const name of names) {
      const bar = barAfter(bytes, at, end);
      if (bar < 0) return undefined;
      if (name === 'vendor') vendor = decodePlain(bytes, at, bar - at);
      this.#push(`${isCef === undefined ? 'leef' : 'cef'}.${name}`, at, bar);
      at = bar + 1;
    }
    if (isCef !== undefined) eachExtension(bytes, at, end, this.#take(bytes));
    else eachLeefAttribute(bytes, at, end, version, this.#take(bytes));
    return /palo ?alto/i.test(vendor) ? globalprotect : /fortinet/i.test(vendor) ? fortigate : firewall;
  }

  #cisco(start: number, end: number, prefix: string): Profile {
    const message = cisco.exec(prefix)!;
    const at = start + message.index;
    this.#push('mnemonic', at + 1, at + message[0].length - 1);
    this.#push('message', at, end);
    const time = ciscoTime.exec(prefix);
    if (time !== null) {
      const from = start + time.index;
      this.#push('time', from, from + time[0].length);
    }
    return ciscoMessage;
  }

  #ftp(start: number, end: number, [whole, time = '']: RegExpExecArray): Profile {
    this.#push('time', start, start + time.length);
    this.#push('message', start + whole.length, end);
    return ftpServer;
  }

  #take(bytes: Uint8Array): TakePair {
    return (nameStart, nameEnd, start, end) => {
      if (!this.#tree.add(bytes, nameStart, nameEnd)) return;
      this.#starts.push(start);
      this.#ends.push(end);
    };
  }

  #push(name: string, start: number, end: number): void {
    if (!this.#tree.addName(name)) return;
    this.#starts.push(start);
    this.#ends.push(end);
  }

  #place(event: ColumnEvent, layout: Layout, bytes: Uint8Array, start: number, end: number, offset: number): void {
    event.begin(layout, bytes, start, end, offset);
    for (let i = 0; i < this.#starts.length; i++) event.set(i, this.#starts[i]!, this.#ends[i]!);
  }
}

/** Place of the next bar that is not escaped; -1 when there is none. */
function barAfter(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === PIPE) return at;
  }
  return -1;
}

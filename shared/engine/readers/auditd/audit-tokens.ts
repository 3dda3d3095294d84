import type { ValueTable } from '../../events/value-table.ts';
import { ABSENT } from '../../events/value-id.ts';
import type { EventTables } from '../reader.ts';
import { decodeHex, decodeHexArguments, hexArgumentsInUtf8, hexInUtf8, isHex } from '../text/decoders.ts';
import type { NamedSlots } from '../text/named-slots.ts';
import { decodePlain } from '../xml/xml-text.ts';
import { machineName, systemCallName } from './system-calls.ts';

const BLANK = 0x20;
/** Stands before the values that the daemon has added in words. */
const ENRICHED = 0x1d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BRACKET_OPEN = 0x28;
const BRACKET_CLOSE = 0x29;
const COMMA = 0x2c;
const EQUALS = 0x3d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/** Values that stand there in hexadecimal when they are not in quotes. */
const encodedNames = new Set(
  'acct cgroup cmd comm cwd data dir exe file grp key name new_name ocomm old path proctitle root_dir sw vm watch'.split(
    ' ',
  ),
);
const argument = /^a\d+$/;
/** A piece of an argument too long for one record. */
const fragment = /^(a\d+)\[\d+\]$/;
/** What a name says of how its values stand there; more than one may be true. */
const [nothing, isTitle, isEncoded, isArgument, isPiece] = [0, 1, 2, 4, 8] as const;
/** Types of records to which the call is added in words. */
export const callTypes: ReadonlySet<string> = new Set(['SYSCALL', 'SECCOMP', 'URINGOP']);

/** The tag that `AuditTokens` asks of the slots for a name. */
export function auditTag(name: string): number {
  if (name === 'proctitle') return isTitle;
  if (encodedNames.has(name)) return isEncoded;
  return argument.test(name) ? isArgument : fragment.test(name) ? isPiece : nothing;
}

interface Pieces {
  text: string;
  isHex: boolean;
}

/** Gives the values of audit records to slots, under their native names (detection-engine 1.2.4 A1). */
export class AuditTokens {
  readonly #slots: NamedSlots;
  readonly #values: ValueTable;
  readonly #hex: number;
  readonly #hexArguments: number;
  readonly #ids: Readonly<Record<'arch' | 'syscall' | 'SYSCALL' | 'ARCH', number>>;
  readonly #pieces = new Map<string, Pieces>();
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(slots: NamedSlots, { values, fields }: EventTables) {
    this.#slots = slots;
    this.#values = values;
    this.#hex = values.kind(decodeHex, hexInUtf8);
    this.#hexArguments = values.kind(decodeHexArguments, hexArgumentsInUtf8);
    const id = (name: string): number => fields.id(name);
    this.#ids = { arch: id('arch'), syscall: id('syscall'), SYSCALL: id('SYSCALL'), ARCH: id('ARCH') };
  }

  /** Takes the values at [start, end), the body of a record of this type. */
  take(type: string, bytes: Uint8Array, start: number, end: number): void {
    const from = this.#slots.count;
    this.#bytes = bytes;
    this.#pairs(start, end, type === 'EXECVE');
    if (callTypes.has(type)) this.#nameCall(from);
  }

  /** To be called behind the last EXECVE record of an event: long arguments are in pieces until then. */
  joinArguments(): void {
    for (const [name, { text, isHex: encoded }] of this.#pieces) {
      this.#slots.addText(name, encoded ? textOfHex(text) : text);
    }
    this.#pieces.clear();
  }

  #pairs(start: number, end: number, isExecve: boolean): void {
    const bytes = this.#bytes;
    // End of a value that holds pairs itself; within it there is no further one.
    let innerEnd = start;
    let at = start;
    while (at < end) {
      const nameStart = at;
      const nameEnd = nameEndOf(bytes, at, end);
      at = nameEnd + 1;
      // A word without a value, or what stands between two pairs.
      if (nameEnd >= end || nameEnd === nameStart || bytes[nameEnd] !== EQUALS) continue;
      const first = bytes[at];
      if (first === QUOTE) {
        const close = indexOf(bytes, QUOTE, at + 1, end);
        this.#add(nameStart, nameEnd, at + 1, close, isExecve, true);
        at = close + 1;
      } else if (first === APOSTROPHE && at >= innerEnd) {
        innerEnd = messageEnd(bytes, at + 1, end);
        this.#add(nameStart, nameEnd, ++at, innerEnd, false, true);
      } else if (first === BRACE_OPEN && at >= innerEnd) {
        innerEnd = indexOf(bytes, BRACE_CLOSE, at, end);
        this.#add(nameStart, nameEnd, ++at, innerEnd, false, true);
      } else {
        const close = plainEnd(bytes, at, at < innerEnd ? innerEnd : end);
        this.#add(nameStart, nameEnd, at, withoutMarks(bytes, at, close), isExecve, false);
        at = close;
      }
    }
  }

  #add(nameStart: number, nameEnd: number, start: number, end: number, isExecve: boolean, isQuoted: boolean): void {
    const slots = this.#slots;
    const slot = slots.add(nameStart, nameEnd, start, end);
    if (slot < 0) return;
    const tag = slots.tag(slot);
    if (tag === nothing || (isQuoted && !isExecve)) return;
    const encoded = !isQuoted && isHex(this.#bytes, start, end);
    if (isExecve && (tag & isPiece) !== 0) this.#takePiece(slots.name(slot), start, end, encoded);
    if (!encoded) return;
    if ((tag & isTitle) !== 0) slots.decodeAs(slot, this.#hexArguments);
    else if ((tag & isEncoded) !== 0 || (isExecve && (tag & isArgument) !== 0)) slots.decodeAs(slot, this.#hex);
  }

  #takePiece(name: string, start: number, end: number, encoded: boolean): void {
    const whole = fragment.exec(name)![1]!;
    const text = decodePlain(this.#bytes, start, end - start);
    const pieces = this.#pieces.get(whole);
    if (pieces === undefined) this.#pieces.set(whole, { text, isHex: encoded });
    else pieces.text += text;
  }

  /** What the daemon writes when it enriches: the call and the machine in words. */
  #nameCall(from: number): void {
    const { arch, syscall, SYSCALL, ARCH } = this.#ids;
    const slots = this.#slots;
    if (slots.exact(SYSCALL, from) !== ABSENT) return;
    const machine = this.#values.text(slots.exact(arch, from));
    const call = systemCallName(machine, this.#values.text(slots.exact(syscall, from)));
    if (call !== undefined) slots.addText('SYSCALL', call);
    const name = machineName(machine);
    if (name !== undefined && slots.exact(ARCH, from) === ABSENT) slots.addText('ARCH', name);
  }
}

/** Whether some text at [start, end), of three characters or more and no argument, may stand there in hexadecimal. */
export function mayBeEncoded(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start + shortestHex; at < end; at += shortestHex) {
    if (isDigit[bytes[at]!] === 0) continue;
    let from = at;
    while (from > start && isDigit[bytes[from - 1]!] !== 0) from--;
    while (at < end && isDigit[bytes[at]!] !== 0) at++;
    if (at - from < shortestHex || bytes[from - 1] !== EQUALS) continue;
    const ending = pair(bytes[from - 3]!, bytes[from - 2]!);
    if (encodedEndings.has(ending) && encodedNames.has(wordBefore(bytes, start, from - 1))) return true;
  }
  return false;
}

function wordBefore(bytes: Uint8Array, start: number, end: number): string {
  let from = end;
  while (from > start && isWord[bytes[from - 1]!] !== 0) from--;
  return decodePlain(bytes, from, end - from);
}

function pair(first: number, second: number): number {
  return (first << 8) | second;
}

/** The last two letters of each of those names, which few others end with. */
const encodedEndings = new Set(
  [...encodedNames].map((name) => pair(name.charCodeAt(name.length - 2), name.charCodeAt(name.length - 1))),
);
/** Digits of a text of three characters. */
const shortestHex = 6;
const isDigit = ofBytes(/[\dA-F]/);
const isWord = ofBytes(/[\w-]/);

/** By byte, whether it is such a character. */
function ofBytes(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0));
}

/** By byte, what it ends: a name, a value, or neither. */
const ends = new Uint8Array(256);
const [endsName, endsValue] = [1, 2] as const;
for (const byte of [EQUALS, BLANK, ENRICHED, APOSTROPHE, COMMA, BRACKET_OPEN, QUOTE]) ends[byte]! |= endsName;
for (const byte of [BLANK, ENRICHED]) ends[byte]! |= endsValue;

function nameEndOf(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (ends[bytes[at]!]! & endsName) === 0) at++;
  return at;
}

function plainEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (ends[bytes[at]!]! & endsValue) === 0) at++;
  return at;
}

/** End of a value without the comma, or the bracket of the whole message, behind it. */
function withoutMarks(bytes: Uint8Array, start: number, end: number): number {
  const last = bytes[end - 1];
  if (end > start && last === COMMA) return end - 1;
  return end > start && last === BRACKET_CLOSE && bytes[start] !== BRACKET_OPEN ? end - 1 : end;
}

/** End of a message in apostrophes, which may hold some itself. */
function messageEnd(bytes: Uint8Array, start: number, end: number): number {
  const enriched = indexOf(bytes, ENRICHED, start, end);
  for (let at = enriched - 1; at >= start; at--) if (bytes[at] === APOSTROPHE) return at;
  return enriched;
}

function indexOf(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== byte) at++;
  return Math.min(at, end);
}

function textOfHex(digits: string): string {
  const bytes = new TextEncoder().encode(digits);
  return decodeHex(bytes, 0, bytes.length);
}

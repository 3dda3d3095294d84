import type { EventHead, OutputRecord } from '../events/log-event.ts';
import type { Reporting } from '../sigma/rule-set.ts';

/** How much of the matched events is kept as it is. */
export interface RawOptions {
  /** Of their lines. */
  readonly maxBytes: number;
  /** Takes the lines, some at a time and in the order of the log, instead of having them kept until it has been read. */
  readonly take?: (lines: Uint8Array) => void;
  /** Name of the log among several. */
  readonly file?: string;
}

/**
 * A line of raw output (resolved-platform 2.4): one match. An event that several rules match has a line for each,
 * one after another; `nth` counts them from 1. Behind these are the first events of each correlation that no rule
 * reports, each once.
 */
export interface RawMatch {
  readonly ts: string | null;
  readonly rule: {
    readonly id: string | null;
    readonly title: string;
    readonly level: string;
    readonly tags: readonly string[];
  };
  readonly nth: number;
  /** The rule is a correlation. */
  readonly correlated?: true;
  readonly computer: string | null;
  readonly channel: string | null;
  readonly event_id: string | null;
  readonly record_id: string | null;
  readonly file?: string;
  readonly record: OutputRecord;
}

/** Lines of one part of a log, in UTF-8. */
export interface RawPart {
  readonly part: number;
  readonly bytes: Uint8Array;
}

/** The matches of a log as JSON lines, in its order. */
export interface RawMatches {
  readonly chunks: readonly Uint8Array[];
  /** There were more than are kept. */
  readonly isTruncated: boolean;
}

/** What was kept of some parts; plain data, so that threads can hand it over. */
export interface RawParts {
  readonly parts: readonly RawPart[];
  readonly isTruncated: boolean;
}

/** Characters of lines that are handed over together. */
const takenChars = 65_536;

/** Keeps the first matches of the parts that it is given, in rising order, as JSON lines. */
export class RawCollector {
  readonly #rules: readonly Reporting[];
  readonly #file: string;
  readonly #take: RawOptions['take'];
  readonly #ruleTexts = new Map<number, string>();
  readonly #parts: RawPart[] = [];
  #left: number;
  #lines: string[] = [];
  /** Characters of the lines. */
  #chars = 0;
  #isTruncated = false;

  constructor(rules: readonly Reporting[], { maxBytes, take, file }: RawOptions) {
    this.#rules = rules;
    this.#take = take;
    this.#left = maxBytes;
    this.#file = file === undefined ? '' : `"file":${JSON.stringify(file)},`;
  }

  add(head: EventHead, record: OutputRecord, rules: readonly number[]): void {
    this.#put(head, record, rules, '');
  }

  /** Takes an event that a correlation found. */
  addCorrelated(head: EventHead, record: OutputRecord, rule: number): void {
    this.#put(head, record, [rule], '"correlated":true,');
  }

  endPart(part: number): void {
    const bytes = this.#drained();
    if (bytes.length > 0 && this.#take === undefined) this.#parts.push({ part, bytes });
    else if (bytes.length > 0) this.#take?.(bytes);
  }

  result(): RawParts {
    return { parts: this.#parts, isTruncated: this.#isTruncated };
  }

  #put(head: EventHead, record: OutputRecord, rules: readonly number[], mark: string): void {
    if (this.#isTruncated) return;
    const { timestamp, computer, channel, eventId, recordId } = head;
    const rest = JSON.stringify({ computer, channel, event_id: eventId, record_id: recordId }).slice(1, -1);
    const body = `${mark}${rest},${this.#file}"record":${JSON.stringify(record)}}\n`;
    for (const [index, rule] of rules.entries()) {
      const line = `{"ts":${JSON.stringify(timestamp)},"rule":${this.#textOf(rule)},"nth":${index + 1},${body}`;
      this.#lines.push(line);
      // Characters are bytes at least. The line that is too much stays, so that the whole is cut off no later than here.
      this.#left -= line.length;
      this.#chars += line.length;
      if (this.#left < 0) {
        this.#isTruncated = true;
        return;
      }
    }
    if (this.#take !== undefined && this.#chars > takenChars) this.#take(this.#drained());
  }

  #drained(): Uint8Array {
    const bytes = new TextEncoder().encode(this.#lines.join(''));
    this.#lines = [];
    this.#chars = 0;
    return bytes;
  }

  #textOf(rule: number): string {
    const known = this.#ruleTexts.get(rule);
    if (known !== undefined) return known;
    const { id, title, level, tags } = this.#rules[rule]!;
    const text = JSON.stringify({ id, title, level, tags });
    this.#ruleTexts.set(rule, text);
    return text;
  }
}

const newline = 10;

/** Puts what was kept together: whole lines, the first of the log, at most `maxBytes`. */
export function joinRaw({ maxBytes }: RawOptions, kept: readonly RawParts[]): RawMatches {
  const parts = kept.flatMap((one) => one.parts).sort((a, b) => a.part - b.part);
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for (const { bytes } of parts) {
    // Of 0 bytes no line fits; counted from -1, the search would begin at the end.
    const end = left === 0 ? 0 : bytes.lastIndexOf(newline, left - 1) + 1;
    const fitting = bytes.length <= left ? bytes : bytes.subarray(0, end);
    if (fitting.length > 0) chunks.push(fitting);
    if (fitting.length < bytes.length) return { chunks, isTruncated: true };
    left -= fitting.length;
  }
  return { chunks, isTruncated: kept.some(({ isTruncated }) => isTruncated) };
}

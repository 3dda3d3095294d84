import { decodePlain } from '../xml/xml-text.ts';
import type { RecordTaker } from '../text/read-line-records.ts';

/** The line before the names of an event: Splunk writes the time as the host of the log does. */
const timeLine = /^(\d\d\/\d\d\/\d{4}) (\d\d:\d\d:\d\d(?:\.\d+)? [AP]M)$/;
const firstName = 'LogName=';
const message = 'Message=';
/** Characters of a block that are kept; of a longer one the lines behind them are left out. */
const mostKept = 1024 * 1024;

/** Whether a text begins as Splunk's text of Windows events: a time, then names and values on lines. */
export function beginsBlocks(text: string): boolean {
  const [first = '', second = ''] = text.trimStart().split(/\r?\n/, 2);
  return timeLine.test(first) && second.startsWith(firstName);
}

/** Puts the lines of such blocks together to one object for each event, as JSON. */
export class WindowsBlocks implements RecordTaker {
  records = 0;
  readonly #put: (object: string) => void;
  #lines: string[] = [];
  #kept = 0;

  constructor(put: (object: string) => void) {
    this.#put = put;
  }

  take(bytes: Uint8Array, start: number, end: number): void {
    const line = decodePlain(bytes, start, end - start);
    const last = this.#lines.at(-1);
    if (line.startsWith(firstName) && last !== undefined && timeLine.test(last)) {
      this.#lines.pop();
      this.finish();
      this.#lines = [last];
      this.#kept = last.length;
    }
    this.#kept += line.length + 1;
    if (this.#kept <= mostKept) this.#lines.push(line);
  }

  keep(next: number): number {
    return next;
  }

  shift(): void {}

  finish(): void {
    const object = eventOf(this.#lines);
    this.#lines = [];
    this.#kept = 0;
    if (object === undefined) return;
    this.records++;
    this.#put(JSON.stringify(object));
  }
}

function eventOf([time = '', ...lines]: readonly string[]): Record<string, string> | undefined {
  if (!timeLine.test(time)) return undefined;
  const event: Record<string, string> = { TimeGenerated: time };
  for (const [at, line] of lines.entries()) {
    if (line.startsWith(message)) {
      event['Message'] = [line.slice(message.length), ...lines.slice(at + 1)].join('\n').trimEnd();
      break;
    }
    const equals = line.indexOf('=');
    if (equals > 0) event[line.slice(0, equals)] = line.slice(equals + 1);
  }
  return event;
}

import type { Clock } from '../ports/clock.ts';

/** What a run notes of itself, a line with its time each; of what is too long the end is kept. */
export class RunLog {
  readonly #clock: Clock;
  readonly #mostBytes: number;
  #text = '';
  #untold = '';

  constructor(clock: Clock, mostBytes: number) {
    this.#clock = clock;
    this.#mostBytes = mostBytes;
  }

  add(line: string): void {
    const written = `${this.#clock.now().toISOString()} ${line.replaceAll(/\s+/gu, ' ')}\n`;
    this.#text = tailOf(this.#text + written, this.#mostBytes);
    this.#untold += written;
  }

  /** What was added since it was last asked for. */
  takeUntold(): string {
    const untold = this.#untold;
    this.#untold = '';
    return untold;
  }

  get text(): string {
    return this.#text;
  }
}

/** The end of a text, of whole lines where that is possible. */
function tailOf(text: string, mostBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBytes) return text;
  const tail = bytes.subarray(bytes.length - mostBytes).toString();
  const line = tail.indexOf('\n');
  return line === -1 || line === tail.length - 1 ? tail.replace(/^\uFFFD+/u, '') : tail.slice(line + 1);
}

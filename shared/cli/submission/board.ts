import { basename } from 'node:path';
import { counted } from '../formats/text.ts';
import type { Input } from '../inputs/find-inputs.ts';
import type { Progress } from '../progress.ts';

/** Where files are, as the line on the terminal tells it. */
export class Board {
  readonly #progress: Progress;
  readonly #total: number;
  /** Files on their way: what is done with them. */
  readonly #moving = new Map<Input, string>();
  readonly #sent = new Map<Input, number>();
  #submitted = 0;
  #analysing = 0;

  constructor(progress: Progress, inputs: readonly Input[]) {
    this.#progress = progress;
    this.#total = inputs.length;
    progress.begin(inputs);
  }

  reading(input: Input): void {
    this.#move(input, 'reading');
  }

  sending(input: Input, bytes: number): void {
    this.#sent.set(input, bytes);
    const share = input.bytes === 0 ? 100 : Math.min(100, Math.floor((100 * bytes) / input.bytes));
    this.#move(input, `${share} %`);
  }

  waiting(input: Input, seconds: number): void {
    this.#move(input, `trying again in ${Math.ceil(seconds)} s`);
  }

  /** A file is through: it has become a job or it will not. */
  settled(input: Input, isAnalysed: boolean): void {
    this.#moving.delete(input);
    this.#sent.set(input, input.bytes);
    this.#submitted++;
    if (isAnalysed) this.#analysing++;
    this.#draw();
  }

  analysed(): void {
    this.#analysing--;
    this.#draw();
  }

  #move(input: Input, what: string): void {
    this.#moving.set(input, what);
    this.#draw();
  }

  #draw(): void {
    const analysing = `${counted(this.#analysing, 'file')} being analysed`;
    if (this.#submitted === this.#total) {
      if (this.#analysing > 0) this.#progress.say(`${analysing} …`);
      return;
    }
    let bytes = 0;
    for (const sent of this.#sent.values()) bytes += sent;
    const moving = [...this.#moving].map(([{ path }, what]) => `${basename(path)} ${what}`);
    this.#progress.update(this.#submitted, bytes, [...moving, ...(this.#analysing > 0 ? [analysing] : [])].join(', '));
  }
}

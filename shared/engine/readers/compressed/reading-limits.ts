import type { ByteSource, ReadProblem } from '../reader.ts';

/** What one analysis may take of what is sent to do harm. */
export interface ReadingLimits {
  /** Bytes that may come out of a compressed file, by its own size; a gzip file may have 256 MiB in any case. */
  readonly ratio: number;
  /** Bytes that may come out of a compressed file. */
  readonly unpackedBytes: number;
  /** Whether the time of the analysis is over; asked now and then. @default never */
  readonly isOver?: () => boolean;
}

export const usualLimits: ReadingLimits = { ratio: 200, unpackedBytes: 16 * 1024 ** 3 };

const cutShort: ReadonlySet<string> = new Set(['gzip-ratio', 'unpacked-limit', 'time-limit']);

/** Whether a log was not read to its end, as it took more than it may. */
export function wasCutShort(problems: readonly Pick<ReadProblem, 'code'>[]): boolean {
  return problems.some(({ code }) => cutShort.has(code));
}

export function timeLimitProblem(offset: number): ReadProblem {
  const message = 'The analysis took more processor time than a file of this size may, and read no further.';
  return { code: 'time-limit', message, offset, count: 1 };
}

/** A source that has come to its end when the time is over. */
export class TimedSource implements ByteSource {
  readonly #source: ByteSource;
  readonly #isOver: () => boolean;
  #endedAt: number | null = null;

  constructor(source: ByteSource, isOver: () => boolean) {
    this.#source = source;
    this.#isOver = isOver;
  }

  get size(): number {
    return this.#source.size;
  }

  read(offset: number, into: Uint8Array): Promise<number> {
    if (this.#endedAt === null && this.#isOver()) this.#endedAt = offset;
    return this.#endedAt === null ? this.#source.read(offset, into) : Promise.resolve(0);
  }

  problems(): ReadProblem[] {
    return this.#endedAt === null ? [] : [timeLimitProblem(this.#endedAt)];
  }
}

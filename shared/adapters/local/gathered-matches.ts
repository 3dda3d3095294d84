import { analyze, type AnalyzeOptions, type ByteSource } from '@svc/engine';
import { fileSource } from '@svc/engine/node';
import { workBehindOthers } from './behind-others.ts';

/** Bytes of lines that wait to be taken before the log is read on. */
const mostWaiting = 4 * 1024 * 1024;

/** What is next of the matches of a log: lines, or null at its end, and how much of it was read. */
export type Gathered = { readonly lines: Uint8Array | null; readonly bytesDone: number } | { readonly unread: string };

/** All matches of some rules in a log, read only as far as they are taken, so that any number takes little memory. */
export class GatheredMatches {
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #bytesDone = 0;
  #end: 'open' | 'read' | Error = 'open';
  /** Resolves what waits for something to change. */
  #wake: () => void = () => undefined;
  #changed: Promise<void>;

  constructor(path: string, options: Pick<AnalyzeOptions, 'rules' | 'logType'>) {
    workBehindOthers();
    this.#changed = this.#nextChange();
    void this.#read(path, options);
  }

  async next(): Promise<Gathered> {
    while (this.#bytes === 0 && this.#end === 'open') await this.#changed;
    if (this.#end instanceof Error) return { unread: this.#end.message };
    const lines = this.#bytes === 0 ? null : new Uint8Array(Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#bytes = 0;
    this.#tell();
    return { lines, bytesDone: this.#bytesDone };
  }

  async #read(path: string, options: Pick<AnalyzeOptions, 'rules' | 'logType'>): Promise<void> {
    try {
      const file = await fileSource(path);
      try {
        const take = (lines: Uint8Array): void => this.#put(lines);
        const raw = { maxBytes: Number.POSITIVE_INFINITY, take };
        const { unread } = await analyze(this.#paced(file), {
          ...options,
          maxSamples: 0,
          raw,
          onProgress: (done) => void (this.#bytesDone = done),
        });
        this.#end = unread === undefined ? 'read' : new Error(unread);
      } finally {
        await file.close();
      }
    } catch (error) {
      this.#end = error instanceof Error ? error : new Error(String(error));
    }
    this.#tell();
  }

  /** The same bytes, which are not read on while much waits to be taken. */
  #paced(source: ByteSource): ByteSource {
    return {
      size: source.size,
      read: async (offset, into) => {
        while (this.#bytes > mostWaiting) await this.#changed;
        return source.read(offset, into);
      },
    };
  }

  #put(lines: Uint8Array): void {
    this.#waiting.push(lines);
    this.#bytes += lines.length;
    this.#tell();
  }

  #tell(): void {
    const wake = this.#wake;
    this.#changed = this.#nextChange();
    wake();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}

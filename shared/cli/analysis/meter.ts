import type { Input } from '../inputs/find-inputs.ts';

/** Adds up how far the inputs of a run are, several of which may be in hand. */
export class Meter {
  readonly #tell: (inputsDone: number, bytesDone: number, name: string) => void;
  #inputsDone = 0;
  #bytesDone = 0;

  constructor(tell: (inputsDone: number, bytesDone: number, name: string) => void) {
    this.#tell = tell;
  }

  /** Tells of one input: bytes of it done so far and the log in hand, and that it is done. */
  of(input: Input): { readonly update: (bytes: number, name: string) => void; readonly end: () => void } {
    let before = 0;
    const update = (bytes: number, name: string): void => {
      this.#bytesDone += bytes - before;
      before = bytes;
      this.#tell(this.#inputsDone, this.#bytesDone, name);
    };
    return {
      update,
      end: () => {
        this.#inputsDone++;
        update(input.bytes, input.name);
      },
    };
  }
}

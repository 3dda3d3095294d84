/** Tells when nothing has been done for a while. */
export class IdleWatch {
  readonly #idleMs: number | null;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;
  #busy = 0;

  /** @param seconds - null for never */
  constructor(seconds: number | null, onIdle: () => void) {
    this.#idleMs = seconds === null ? null : seconds * 1000;
    this.#onIdle = onIdle;
    this.#wait();
  }

  /** Does something, and is not idle meanwhile. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    clearTimeout(this.#timer);
    try {
      return await work();
    } finally {
      this.#busy -= 1;
      if (this.#busy === 0) this.#wait();
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (this.#idleMs !== null) this.#timer = setTimeout(this.#onIdle, this.#idleMs);
  }
}

/**
 * A signal that follows another one, and is aborted too when nothing has moved for so long. By timers of
 * its own: Node.js 20 forgets `AbortSignal.timeout` within `AbortSignal.any` when memory is collected.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #followed: AbortSignal;
  readonly #follow = (): void => this.#controller.abort(this.#followed.reason);

  constructor(followed: AbortSignal, ms: number) {
    this.#followed = followed;
    if (followed.aborted) this.#follow();
    followed.addEventListener('abort', this.#follow);
    this.#timer = setTimeout(() => this.#controller.abort(new DOMException('No answer in time', 'TimeoutError')), ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something has moved. */
  refresh(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#followed.removeEventListener('abort', this.#follow);
  }
}

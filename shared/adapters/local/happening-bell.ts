import type { HappeningBell } from '@svc/application/ports/happening-bell.ts';

/** Heard in this process; where nobody answers, what was committed waits for the next sweep. */
export class LocalHappeningBell implements HappeningBell {
  #deliver: (() => Promise<void>) | null = null;

  async ring(): Promise<void> {
    await this.#deliver?.();
  }

  answer(deliver: () => Promise<void>): void {
    this.#deliver = deliver;
  }
}

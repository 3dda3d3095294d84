import type { EventHead, LogEvent, OutputRecord } from './log-event.ts';

/** The event of the moment, and what it is shown by: written out when that is first asked for, once for all that keep it. */
export class CurrentEvent {
  #event!: LogEvent;
  #head: EventHead | undefined;
  #record: OutputRecord | undefined;

  begin(event: LogEvent): void {
    this.#event = event;
    this.#head = undefined;
    this.#record = undefined;
  }

  get event(): LogEvent {
    return this.#event;
  }

  get head(): EventHead {
    return (this.#head ??= this.#event.head());
  }

  /** Not to be changed, as others have it too. */
  get record(): OutputRecord {
    return (this.#record ??= this.#event.toRecord());
  }
}

import type { AuditHeader } from './audit-header.ts';

/** Events of the audit system are complete when so many later ones have begun (detection-engine 3). */
const mostOpen = 64;
/** … or when one begins that is so much later, in milliseconds. */
const longestWait = 2000;
/** … or when so many bytes have come, so that memory stays bounded. */
const mostBytes = 4 * 1024 * 1024;

/**
 * A record. Places count from the first byte of the source's text until its event is complete, then from the
 * first one at hand; those of its values, `from` and `to`, are known once they are cut.
 */
export interface AuditPlace {
  readonly type: string;
  readonly offset: number;
  start: number;
  body: number;
  end: number;
  from: number;
  to: number;
}

/** The records of one event of the audit system. */
export interface AuditGroup {
  readonly time: number;
  readonly serial: number;
  readonly node: string | null;
  readonly records: AuditPlace[];
}

/** Brings together records of the same event, which may come mixed with those of others. */
export class AuditWindow {
  /** Of those before `#first` nothing is held any more. */
  readonly #open: AuditGroup[] = [];
  #first = 0;
  #highest = -1;
  /** Time of the event that began last; the newest one would not do, should a damaged record claim it. */
  #last = Number.NaN;

  /** Where the oldest record begins that is still held; undefined when none is. */
  get oldest(): number | undefined {
    return this.#open[this.#first]?.records[0]!.start;
  }

  add(header: AuditHeader, record: AuditPlace): void {
    const known = this.#find(header);
    if (known !== undefined) {
      known.records.push(record);
      return;
    }
    const { time, serial, node } = header;
    this.#last = time;
    this.#open.push({ time, serial, node, records: [record] });
  }

  /** The oldest event, if it is complete; to be asked until there is none. */
  takeComplete(end: number): AuditGroup | undefined {
    const first = this.#open[this.#first];
    if (first === undefined) return undefined;
    const isLate = this.#last - first.time > longestWait || Number.isNaN(first.time);
    const isComplete =
      this.#open.length - this.#first > mostOpen || isLate || end - first.records[0]!.start > mostBytes;
    return isComplete ? this.takeAny() : undefined;
  }

  /** The oldest event, complete or not. */
  takeAny(): AuditGroup | undefined {
    const open = this.#open;
    // Moved up seldom: to do it for each would take longer than all else here.
    if (this.#first > mostOpen) {
      open.splice(0, this.#first);
      this.#first = 0;
    }
    return this.#first < open.length ? open[this.#first++] : undefined;
  }

  #find({ time, serial, node }: AuditHeader): AuditGroup | undefined {
    // Serials rise, so most new ones are told by that.
    if (serial > this.#highest) {
      this.#highest = serial;
      return undefined;
    }
    const open = this.#open;
    for (let i = open.length - 1; i >= this.#first; i--) {
      const group = open[i]!;
      if (group.serial === serial && group.time === time && group.node === node) return group;
    }
    return undefined;
  }
}

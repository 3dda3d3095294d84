import type { EventTexts } from '../../events/log-event.ts';
import type { ValueTable } from '../../events/value-table.ts';
import type { ValueId } from '../../events/value-id.ts';
import type { EventTables } from '../reader.ts';
import { NamedSlots } from '../text/named-slots.ts';
import { AuditSiblings, lends } from './audit-siblings.ts';
import { auditTag, AuditTokens, callTypes, mayBeEncoded } from './audit-tokens.ts';
import type { AuditPlace } from './audit-window.ts';

/** Names that records have besides those of their lines. */
export const ownNames = ['type', 'node'];

/** The values of the records of one event of the audit system, cut out of its lines when one is first asked for. */
export class AuditValues implements EventTexts {
  turn = 0;
  readonly slots: NamedSlots;
  readonly siblings: AuditSiblings;
  readonly #values: ValueTable;
  readonly #tokens: AuditTokens;
  #bytes: Uint8Array = new Uint8Array(0);
  #places: readonly AuditPlace[] = [];
  #isCut = false;
  /** Whether no record lends values to others, or is given any. */
  areApart = false;

  constructor(tables: EventTables) {
    this.#values = tables.values;
    this.slots = new NamedSlots(tables, auditTag, ownNames);
    this.siblings = new AuditSiblings(this.slots);
    this.#tokens = new AuditTokens(this.slots, tables);
  }

  /** Takes up the records of an event. */
  begin(bytes: Uint8Array, places: readonly AuditPlace[]): void {
    this.turn++;
    this.#bytes = bytes;
    this.#places = places;
    this.#isCut = false;
    this.areApart = !places.some(({ type }) => lends(type) || callTypes.has(type));
  }

  /** Whether the event has more values than are kept; not if nobody asked for any. */
  get isFull(): boolean {
    return this.#isCut && this.slots.isFull;
  }

  /** All lines of the event, and what stands in them in another form or is made. */
  some(visit: (value: ValueId) => boolean): boolean {
    let isPlain = this.areApart;
    for (const { start, body, end } of this.#places) {
      if (visit(this.#values.once(this.slots.plain, this.#bytes, start, end - start))) return true;
      isPlain &&= !mayBeEncoded(this.#bytes, body, end);
    }
    if (isPlain) return false;
    this.cut();
    return this.slots.someDecoded(visit);
  }

  /** Gives slots and siblings the values of the event; to be called before they are asked. */
  cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    const { slots } = this;
    slots.begin(this.#bytes);
    this.siblings.begin();
    // Where the arguments do not fit in one record, more follow; the first one then has them all.
    let execve: AuditPlace | undefined;
    for (const [i, place] of this.#places.entries()) {
      const { type, body, end } = place;
      const isExecve = type === 'EXECVE';
      place.from = slots.count;
      this.#tokens.take(type, this.#bytes, body, end);
      if (isExecve && this.#places[i + 1]?.type !== type) this.#tokens.joinArguments();
      place.to = slots.count;
      if (isExecve) {
        execve ??= place;
        execve.to = slots.count;
      }
    }
    for (const { type, from, to } of this.#places) this.siblings.add(type, from, to);
  }
}

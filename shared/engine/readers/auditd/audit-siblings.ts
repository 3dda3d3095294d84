import type { FieldId } from '../../events/field-table.ts';
import { ABSENT, type ValueId } from '../../events/value-id.ts';
import type { NamedSlots } from '../text/named-slots.ts';

/** Records that lend their values to the others of their event, in this order (1.2.4 A1). */
const lenders = ['SYSCALL', 'EXECVE', 'CWD', 'PATH', 'PROCTITLE', 'SOCKADDR'] as const;

export type Lender = (typeof lenders)[number];

/** Whether records of this type lend their values. */
export function lends(type: string): boolean {
  return lenders.includes(type as Lender);
}

/** The values of one event of the audit system that all its records share; looked up once per event. */
export class AuditSiblings {
  readonly #slots: NamedSlots;
  /** Records that lend: each one's rank as a lender and its slots, in threes. */
  #lent = new Int32Array(48);
  #count = 0;
  #ids = new Int32Array(64);
  #turns = new Int32Array(64);
  #turn = 0;

  constructor(slots: NamedSlots) {
    this.#slots = slots;
  }

  /** Begins an event. */
  begin(): void {
    this.#turn++;
    this.#count = 0;
  }

  /** The event has a record of this type with its values in these slots. */
  add(type: string, from: number, to: number): void {
    const rank = lenders.indexOf(type as Lender);
    if (rank < 0) return;
    const at = 3 * this.#count++;
    if (at >= this.#lent.length) this.#lent = Int32Array.from({ length: 2 * at }, (_, i) => this.#lent[i] ?? 0);
    this.#lent[at] = rank;
    this.#lent[at + 1] = from;
    this.#lent[at + 2] = to;
  }

  has(type: Lender): boolean {
    const rank = lenders.indexOf(type);
    for (let at = 0; at < 3 * this.#count; at += 3) if (this.#lent[at] === rank) return true;
    return false;
  }

  /** Value of a field in the first record that has it. */
  value(field: FieldId): ValueId {
    if (field >= this.#ids.length) this.#grow(field);
    if (this.#turns[field] === this.#turn) return this.#ids[field]!;
    this.#turns[field] = this.#turn;
    return (this.#ids[field] = this.#look(field));
  }

  /** Value of a field in the records of one type, of the first that has it. */
  of(type: Lender, field: FieldId): ValueId {
    return this.#ofRank(lenders.indexOf(type), field);
  }

  #ofRank(rank: number, field: FieldId): ValueId {
    for (let at = 0; at < 3 * this.#count; at += 3) {
      if (this.#lent[at] !== rank) continue;
      const id = this.#slots.value(field, this.#lent[at + 1], this.#lent[at + 2]);
      if (id !== ABSENT) return id;
    }
    return ABSENT;
  }

  #look(field: FieldId): ValueId {
    if (!this.#slots.has(field)) return ABSENT;
    for (let rank = 0; rank < lenders.length; rank++) {
      const id = this.#ofRank(rank, field);
      if (id !== ABSENT) return id;
    }
    return ABSENT;
  }

  #grow(field: FieldId): void {
    const size = Math.max(this.#ids.length * 2, field + 1);
    const [ids, turns] = [new Int32Array(size), new Int32Array(size)];
    ids.set(this.#ids);
    turns.set(this.#turns);
    this.#ids = ids;
    this.#turns = turns;
  }
}

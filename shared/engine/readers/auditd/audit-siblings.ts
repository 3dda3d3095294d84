import type { FieldId } from '../../events/field-table.ts';
import { ABSENT, type ValueId } from '../../events/value-table.ts';
import type { NamedSlots } from '../text/named-slots.ts';

/** Records that lend their values to the others of their event, in this order (1.2.4 A1). */
const lenders = ['SYSCALL', 'EXECVE', 'CWD', 'PATH', 'PROCTITLE', 'SOCKADDR'] as const;

export type Lender = (typeof lenders)[number];

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The values of one event of the audit system that all its records share; looked up once per event. */
export class AuditSiblings {
  readonly #slots: NamedSlots;
  /** By rank of the lender: slots of its records. */
  readonly #lent: Stretch[][] = lenders.map(() => []);
  #ids = new Int32Array(64);
  #turns = new Int32Array(64);
  #turn = 0;

  constructor(slots: NamedSlots) {
    this.#slots = slots;
  }

  /** Begins an event. */
  begin(): void {
    this.#turn++;
    for (const stretches of this.#lent) stretches.length = 0;
  }

  /** The event has a record of this type with its values in these slots. */
  add(type: string, from: number, to: number): void {
    const rank = lenders.indexOf(type as Lender);
    if (rank >= 0) this.#lent[rank]!.push({ from, to });
  }

  has(type: Lender): boolean {
    return this.#lent[lenders.indexOf(type)]!.length > 0;
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
    for (const { from, to } of this.#lent[lenders.indexOf(type)]!) {
      const id = this.#slots.value(field, from, to);
      if (id !== ABSENT) return id;
    }
    return ABSENT;
  }

  #look(field: FieldId): ValueId {
    for (const type of lenders) {
      const id = this.of(type, field);
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

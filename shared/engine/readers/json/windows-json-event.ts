import type { Section } from '../../events/shape.ts';
import { NULL, type ValueId } from '../../events/value-id.ts';
import type { ObjectPlan } from '../objects/object-plan.ts';
import type { EventTables } from '../reader.ts';
import { type EventShape, ShapeTree } from '../shape-tree.ts';
import { SlotEvent } from '../slot-event.ts';
import { isDataUntold } from '../windows-forms/untold-data.ts';
import { type JsonLeaf, JsonValues } from './json-leaf.ts';
import { JsonPlans } from './json-plans.ts';
import type { JsonScan } from './json-scan.ts';
import { givenTree, type JsonTree, plainValue } from './json-tree.ts';
import type { JsonObject, JsonScalar } from './json-value.ts';

/** A value of a record; none or several where an array stands. */
type SlotValue = JsonLeaf | readonly JsonLeaf[];

/** Where the values of a record go, in document order. */
export interface Sink {
  add(section: Section, name: string, value: SlotValue, path?: string): void;
}

/** Gives the values of a record to a sink under the names of detection-engine 2.6. */
export type Flatten = (record: JsonTree, sink: Sink) => void;

/** What records are that have not the event's own form. */
export interface Holding {
  /** How to take the event out of a record that holds it in another form; undefined for other records. */
  eventOf(record: JsonTree): ((record: JsonObject) => JsonObject) | undefined;
  /** What a record is that is no Windows event, but one of another product among them; undefined for any other. */
  asideOf(record: JsonTree): ObjectPlan | undefined;
}

/** What records of one kind have in common: their names, and where the values stand. */
interface EventPlan {
  readonly shape: EventShape;
  /** By slot. */
  readonly values: readonly SlotValue[];
  /** Whether the records have no more values than are kept. */
  readonly isWhole: boolean;
  /** The event in the record just scanned, where that holds it in another form. */
  readonly eventIn?: () => JsonObject;
  /** Where the records are none of Windows. */
  readonly aside?: ObjectPlan | undefined;
}

/** The JSON record just read, as rules see it; one object for all records. */
export class WindowsJsonEvent extends SlotEvent {
  readonly #flatten: Flatten;
  readonly #holding: Holding | undefined;
  readonly #shapes: ShapeTree;
  readonly #plans = new JsonPlans((tree): EventPlan => {
    const plan = this.#plan(tree);
    const eventOf = this.#holding?.eventOf(tree);
    if (eventOf !== undefined) return { ...plan, eventIn: () => eventOf(plainValue(tree) as JsonObject) };
    return { ...plan, aside: this.#holding?.asideOf(tree) };
  });
  readonly #values: JsonValues;
  #current!: EventPlan;
  #isDataUntold = false;

  constructor(tables: EventTables, flatten: Flatten, holding?: Holding) {
    super(tables);
    this.#flatten = flatten;
    this.#holding = holding;
    this.#shapes = new ShapeTree(tables.fields);
    this.#values = new JsonValues(tables.values);
  }

  /** Whether the record taken up last holds an event in a form that tells none of its data. */
  get isDataUntold(): boolean {
    return this.#isDataUntold;
  }

  /** Takes up a record; false when it has more values than are kept. */
  take(record: JsonObject, offset: number): boolean {
    return this.#begin(this.#plan(givenTree(record)), offset);
  }

  /**
   * Takes up the record just scanned, or tells the plan of one that is no Windows event, which it leaves alone; all must
   * come from the same scan.
   */
  takeScanned(scan: JsonScan, offset: number): boolean | ObjectPlan {
    const plan = this.#plans.of(scan);
    const { eventIn, aside } = plan;
    if (aside !== undefined) return aside;
    const event = eventIn?.();
    this.#isDataUntold = event !== undefined && isDataUntold(event);
    const isWhole = event === undefined ? this.#begin(plan, offset) : this.take(event, offset);
    return isWhole && !scan.isCut;
  }

  protected internSlot(slot: number): ValueId {
    const value = this.#current.values[slot]!;
    if (!isList(value)) return value.id(this.#values);
    if (value.length === 0) return NULL;
    return value.length === 1
      ? value[0]!.id(this.#values)
      : this.values.list(value.map((item) => item.id(this.#values)));
  }

  protected outputSlot(slot: number): readonly JsonScalar[] {
    const value = this.#current.values[slot]!;
    return isList(value) ? value.map((item) => item.value()) : [value.value()];
  }

  #begin(plan: EventPlan, offset: number): boolean {
    this.start(offset);
    this.#current = plan;
    this.show(plan.shape);
    return plan.isWhole;
  }

  #plan(record: JsonTree): EventPlan {
    const values: SlotValue[] = [];
    let isWhole = true;
    this.#shapes.start();
    this.#flatten(record, {
      add: (section, name, value, path) => {
        if (this.#shapes.isFull) {
          isWhole = false;
          return;
        }
        this.#shapes.add(section, name, path);
        values.push(value);
      },
    });
    return { shape: this.#shapes.finish(), values, isWhole };
  }
}

function isList(value: SlotValue): value is readonly JsonLeaf[] {
  return Array.isArray(value);
}

import type { FieldTable } from '../events/field-table.ts';
import { type Section, Shape, type SlotName } from '../events/shape.ts';
import { resolveWindowsField } from '../events/windows-fields.ts';

/** Names of one kind of Windows event, and where in them stands what every report asks for. */
export interface EventShape {
  readonly shape: Shape;
  /** Slots of EventData, UserData and the rendered message: what keyword rules search. */
  readonly searched: readonly number[];
  /** Slots of System names; -1 where the events lack one. */
  readonly system: Readonly<Record<SystemSlot, number>>;
}

export type SystemSlot = 'channel' | 'provider' | 'eventId' | 'computer' | 'recordId' | 'time';

/** Nodes kept at once, so that a log whose events are all of another shape stays bounded. */
const mostNodes = 64 * 1024;
const mostSlots = 4096;
const longestName = 256;
const longestPath = 512;

/**
 * Finds the shape of an event while its names are read: each name leads to a node below that of the
 * names before it, so that events with the same names in the same order share one shape.
 */
export class ShapeTree {
  readonly #fields: FieldTable;
  #root = new Node();
  #at = this.#root;
  #nodes = 0;
  #slots = 0;

  constructor(fields: FieldTable) {
    this.#fields = fields;
  }

  /** Begins an event. */
  start(): void {
    if (this.#nodes > mostNodes) {
      this.#root = new Node();
      this.#nodes = 0;
    }
    this.#at = this.#root;
    this.#slots = 0;
  }

  /** Whether the event begun has as many values as are kept. */
  get isFull(): boolean {
    return this.#slots >= mostSlots;
  }

  /** The event begun has a value of this name; to be called only while it is not full. */
  add(section: Section, name: string, path: string | undefined): void {
    this.#slots++;
    this.#at = this.#at.child(section, path ?? name) ?? this.#grow(section, name, path);
  }

  /** Shape of the event begun. */
  finish(): EventShape {
    return (this.#at.shape ??= this.#shape(this.#at));
  }

  #grow(section: Section, name: string, path: string | undefined): Node {
    this.#nodes++;
    const slot: SlotName = {
      name: name.slice(0, longestName),
      section,
      ...(path !== undefined && path.length <= longestPath && { path }),
    };
    return this.#at.grow(slot, path ?? name);
  }

  #shape(node: Node): EventShape {
    const slots = slotsOf(node);
    const system = (name: string): number => slots.findIndex((slot) => slot.section === 'system' && slot.name === name);
    return {
      shape: new Shape(slots, this.#fields, resolveWindowsField),
      searched: slots.flatMap((slot, index) => (isSearched(slot) ? [index] : [])),
      system: {
        channel: system('Channel'),
        provider: system('Provider_Name'),
        eventId: system('EventID'),
        computer: system('Computer'),
        recordId: system('EventRecordID'),
        time: system('TimeCreated_SystemTime'),
      },
    };
  }
}

class Node {
  shape: EventShape | undefined;
  readonly slot: SlotName | undefined;
  readonly parent: Node | undefined;
  readonly #children: Partial<Record<Section, Map<string, Node>>> = {};
  /** The child last found, which is nearly always the next one too. */
  #last: Node | undefined;
  #lastKey = '';

  constructor(slot?: SlotName, parent?: Node) {
    this.slot = slot;
    this.parent = parent;
  }

  child(section: Section, key: string): Node | undefined {
    if (key === this.#lastKey && section === this.#last?.slot?.section) return this.#last;
    const child = this.#children[section]?.get(key);
    this.#lastKey = key;
    this.#last = child;
    return child;
  }

  grow(slot: SlotName, key: string): Node {
    const child = new Node(slot, this);
    (this.#children[slot.section] ??= new Map<string, Node>()).set(key, child);
    return child;
  }
}

/** Slots of a node and those above it, in order. */
function slotsOf(last: Node): readonly SlotName[] {
  const slots: SlotName[] = [];
  for (let node: Node | undefined = last; node?.slot !== undefined; node = node.parent) slots.push(node.slot);
  return slots.reverse();
}

function isSearched(slot: SlotName): boolean {
  return slot.section === 'data'
    ? slot.name !== 'UserData_Root'
    : slot.section === 'rendering' && slot.name === 'Message';
}

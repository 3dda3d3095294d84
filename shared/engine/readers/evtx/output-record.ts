import type { OutputRecord } from '../../events/log-event.ts';
import type { Layout } from './record-layout.ts';
import type { Typed } from './nodes.ts';
import { LONGEST_OUTPUT, typedValues } from './pieces.ts';
import type { RecordFrame } from './record-frame.ts';

/** The flat form of a record (detection-engine 2.6 and 5.1), without what readers and callers add. */
export function outputRecord(frame: RecordFrame, layout: Layout, headerTime: () => string): OutputRecord {
  const record: OutputRecord = {};
  let left = LONGEST_OUTPUT;
  const { slots } = layout.shape;
  for (let slot = 0; slot < slots.length; slot++) {
    const { name } = slots[slot]!;
    let isEmpty = true;
    for (const value of typedValues(frame, layout.texts[slot]!)) {
      if (value === '') continue;
      left -= typeof value === 'string' ? value.length : 1;
      if (left < 0) return record;
      add(record, name, value);
      isEmpty = false;
    }
    if (isEmpty && slot === layout.system.time) add(record, name, headerTime());
  }
  return record;
}

/** Adds a value; those of one name make an array. */
function add(record: OutputRecord, name: string, value: Typed): void {
  if (!Object.hasOwn(record, name)) {
    // A plain assignment to this name would set the prototype.
    if (name === '__proto__') Object.defineProperty(record, name, { value, ...ownProperty });
    else record[name] = value;
    return;
  }
  const known = record[name]!;
  if (Array.isArray(known)) known.push(value);
  else record[name] = [known as Typed, value];
}

const ownProperty = { writable: true, enumerable: true, configurable: true };

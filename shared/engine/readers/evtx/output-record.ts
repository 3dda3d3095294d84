import type { OutputRecord, OutputValue } from '../../events/log-event.ts';
import type { Layout } from './layout.ts';
import type { Typed } from './nodes.ts';
import { LONGEST_OUTPUT, typedValues } from './pieces.ts';
import type { RecordFrame } from './record-frame.ts';

/** The flat form of a record (detection-engine 2.6 and 5.1), without what readers and callers add. */
export function outputRecord(frame: RecordFrame, layout: Layout, headerTime: () => string): OutputRecord {
  const record = new Map<string, Typed[]>();
  let left = LONGEST_OUTPUT;
  for (const [slot, { name }] of layout.shape.slots.entries()) {
    const values = typedValues(frame, layout.texts[slot]!).filter((value) => value !== '');
    if (values.length === 0 && slot === layout.system.time) values.push(headerTime());
    for (const value of values) left -= String(value).length;
    if (left < 0) break;
    if (values.length === 0) continue;
    const known = record.get(name);
    if (known === undefined) record.set(name, values);
    else known.push(...values);
  }
  const entries = [...record].map(([name, values]): [string, OutputValue] => [
    name,
    values.length === 1 ? values[0]! : values,
  ]);
  // fromEntries defines names such as __proto__ as any other.
  return Object.fromEntries(entries);
}

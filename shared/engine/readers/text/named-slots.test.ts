import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldTable } from '../../events/field-table.ts';
import { RouteTable } from '../../events/route.ts';
import { ValueTable } from '../../events/value-table.ts';
import { ABSENT } from '../../events/value-id.ts';
import { NamedSlots } from './named-slots.ts';

type Pair = readonly [name: string, value: string];

/** Values of a name, spelt as it is or else in any case, in their order. */
function plainly(pairs: readonly Pair[], name: string, isExact: boolean): string[] {
  const exact = pairs.filter(([one]) => one === name);
  if (isExact || exact.length > 0) return exact.map(([, value]) => value);
  return pairs.filter(([one]) => one.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
}

describe('NamedSlots', () => {
  it('finds what a look at each slot finds, record after record', () => {
    const name = fc.constantFrom('pid', 'PID', 'Pid', 'exe', 'AUID', 'auid', 'a0', 'x');
    const value = fc.constantFrom('1', '2', 'three', 'four and five');
    const record = fc.record({
      pairs: fc.array(fc.tuple(name, value, fc.boolean()), { maxLength: 12 }),
      questions: fc.array(fc.tuple(name, fc.nat(12), fc.nat(12), fc.boolean())),
    });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        const tables = { fields: new FieldTable(), values: new ValueTable(), routes: new RouteTable() };
        const slots = new NamedSlots(tables, (one) => one.length);
        for (const { pairs, questions } of records) {
          const bytes = new TextEncoder().encode(pairs.map(([one, text]) => one + text).join(''));
          slots.begin(bytes);
          let at = 0;
          for (const [one, text, isNamed] of pairs) {
            const start = at + one.length;
            const end = start + text.length;
            if (isNamed) slots.addNamed(one, start, end, slots.plain);
            else expect(slots.tag(slots.add(at, start, start, end))).toBe(one.length);
            at = end;
          }
          for (const [asked, from, to, isExact] of questions) {
            const field = tables.fields.id(asked);
            const id = isExact ? slots.exact(field, from, to) : slots.value(field, from, to);
            const ids = id === ABSENT ? [] : (tables.values.items(id) ?? [id]);
            const inRange = pairs.slice(from, to).map(([one, text]): Pair => [one, text]);
            expect(ids.map((one) => tables.values.text(one))).toEqual(plainly(inRange, asked, isExact));
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

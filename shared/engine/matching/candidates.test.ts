import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../events/utf8.ts';
import { ValueTable } from '../events/value-table.ts';
import type { Expression, ValueTest } from '../sigma/expression.ts';
import { ANY } from '../sigma/pattern.ts';
import { fileAnchors, joinTables } from './anchor-table.ts';
import { CandidateIndex } from './candidates.ts';

const part = fc.constantFrom('a', 'B', 'cd', '-', '/', '0x1f', '0X1F', '31', 'ż', 'Ü', 'ü', '–', 'exe');
const word = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
const test = fc.oneof(
  word.map((text): ValueTest => ({ kind: 'pattern', pieces: [text], cased: false })),
  word.map((text): ValueTest => ({ kind: 'pattern', pieces: [ANY, text, ANY], cased: false })),
  fc.constant<ValueTest>({ kind: 'integer', text: '31' }),
);
const rule = test.map((one): Expression => ({ kind: 'test', field: 'f', test: one }));

const sorted = (rules: readonly number[]): number[] => [...new Set(rules)].sort((one, two) => one - two);

describe('CandidateIndex', () => {
  it('names the same rules for a value in bytes, kept or not, as for its text, and by tables joined', () => {
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 12 }), fc.array(word), (rules, texts) => {
        const values = new ValueTable();
        const plain = values.kind(decodeUtf8);
        const tables = [rules, rules.slice(1)].flatMap((some) => fileAnchors(some.entries()).tables);
        const index = new CandidateIndex(tables[0]!, values);
        const joined = new CandidateIndex(joinTables(tables), values);
        for (const text of texts) {
          values.nextRecord();
          const bytes = new TextEncoder().encode(text);
          const expected = sorted(index.candidates(values.intern(text)));
          const once = values.once(plain, bytes, 0, bytes.length);
          const kept = values.internBytes(plain, bytes, 0, bytes.length);
          expect(sorted(index.candidates(once))).toEqual(expected);
          expect(sorted(index.candidates(kept))).toEqual(expected);
          const second = tables[1] === undefined ? [] : new CandidateIndex(tables[1], values).candidates(kept);
          expect(sorted(joined.candidates(kept))).toEqual(sorted([...expected, ...second]));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('names the rule for a whole value of other characters than those of ASCII, whose parts are of no rule', () => {
    const tests: ValueTest[] = [
      { kind: 'pattern', pieces: ['übung'], cased: false },
      { kind: 'pattern', pieces: [ANY, 'root', ANY], cased: false },
    ];
    const rules = tests.map((one): Expression => ({ kind: 'test', field: 'f', test: one }));
    const values = new ValueTable();
    const index = new CandidateIndex(fileAnchors(rules.entries()).tables[0]!, values);
    const bytes = new TextEncoder().encode('ÜBUNG');
    expect(index.candidates(values.internBytes(values.kind(decodeUtf8), bytes, 0, bytes.length))).toEqual([0]);
  });
});

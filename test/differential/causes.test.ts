import { loadRules } from '@svc/engine';
import { describe, expect, it } from 'vitest';
import { type Cause, fieldsOf, holdsWith, threeValued } from './causes.ts';
import type { Seen } from './ours.ts';

const text = `
title: Renamed
logsource: { product: windows, category: process_creation }
detection:
  selection: { Image|endswith: '\\a.exe' }
  filter: { ParentImage: 'C:\\b.exe' }
  condition: selection and not filter
`;

function seen(fields: Readonly<Record<string, string>>): Seen {
  const rule = loadRules([{ path: 'renamed.yml', text }]).rules.rules[0]!;
  const plain = {
    mapping: null,
    keywords: () => [],
    texts: (field: string) => (field in fields ? [fields[field]!] : null),
    isNull: (field: string) => !(field in fields),
  };
  return { rule, views: [plain], plain, channel: '', provider: '', record: fields, namesInLog: new Set() };
}

const cause = (ways: Partial<Cause>): Cause => ({ name: 'some', why: 'some', ...ways });

describe('holdsWith', () => {
  const orphan = seen({ Image: 'C:\\x\\a.exe' });

  it('says what Sigma says when nothing is read otherwise', () => {
    expect(holdsWith([], orphan)).toBe(true);
    expect(holdsWith([], seen({ Image: 'C:\\x\\a.exe', ParentImage: 'c:\\B.exe' }))).toBe(false);
  });

  it('does not take the negation of a test of an absent field for true where truth has three values', () => {
    expect(holdsWith([threeValued], orphan)).toBe(false);
    expect(holdsWith([threeValued], seen({ Image: 'C:\\x\\a.exe', ParentImage: 'C:\\c.exe' }))).toBe(true);
  });

  it('reads the rule and the record as the causes say, one after the other', () => {
    const otherEnd = cause({ rule: (source) => source.replace('a.exe', 'z.exe') });
    const otherRecord = cause({ record: (view) => ({ ...view, texts: () => ['C:\\x\\z.exe'] }) });
    expect(holdsWith([otherEnd], orphan)).toBe(false);
    expect(holdsWith([otherEnd, otherRecord], orphan)).toBe(true);
  });

  it('does not hold where the record is not shown or the rule is not understood', () => {
    expect(holdsWith([cause({ record: () => null })], orphan)).toBe(false);
    expect(holdsWith([cause({ rule: () => 'title: nothing else' })], orphan)).toBe(false);
  });
});

it('finds the fields that a rule tests', () => {
  expect(fieldsOf(seen({}).rule.expression)).toEqual(['Image', 'ParentImage']);
});

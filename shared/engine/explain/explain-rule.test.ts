import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRuleFiles } from '../node.ts';
import { readEvtx } from '../readers/evtx/evtx-reader.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { type FakeRecord, fakeEvent } from '../testing/fake-event.ts';
import { plainlyHolds } from '../testing/plain-evaluator.ts';
import { freshTables, sourceOf } from '../testing/read-all.ts';
import type { Explanation } from './explanation.ts';
import { explainRule } from './explain-rule.ts';

const started: FakeRecord = {
  channel: 'Microsoft-Windows-Sysmon/Operational',
  provider: 'Microsoft-Windows-Sysmon',
  eventId: 1,
  data: { Image: 'C:\\Windows\\System32\\whoami.exe', CommandLine: 'whoami /all', User: 'CORP\\ann' },
};

/** Explains a rule with this detection, in flow style, for a record. */
function explain(detection: string, record: FakeRecord = started, more = ''): Explanation {
  const logsource = 'logsource: {product: windows, category: process_creation}';
  const text = `title: T\n${logsource}\ndetection: ${detection}\n${more}`;
  const { rules, rejected } = loadRules([{ path: 'r.yml', text }]);
  expect(rejected).toEqual([]);
  const tables = freshTables();
  return explainRule(rules.rules[0]!, fakeEvent(tables, record), tables.fields);
}

/** The names of the parts that came out as asked. */
function parts({ views: [view] }: Explanation, which: 'holds' | 'decides'): string[] {
  return view!.identifiers.filter((one) => one[which]).map(({ name }) => name);
}

describe('explainRule', () => {
  it('tells of every item what the record has, and of every value whether it holds', () => {
    const explained = explain("{selection: {Image|endswith: ['\\cmd.exe', '\\whoami.exe']}, condition: selection}");
    expect(explained.matches).toBe(true);
    expect(explained.views[0]).toMatchObject({ mapping: null, sourceHolds: true, conditionHolds: true });
    expect(explained.views[0]!.conditions).toEqual(['selection']);
    expect(explained.views[0]!.identifiers[0]!.alternatives).toEqual([
      {
        holds: true,
        items: [
          {
            key: 'Image|endswith',
            field: 'Image',
            found: ['C:\\Windows\\System32\\whoami.exe'],
            holds: true,
            values: [
              { value: '\\cmd.exe', holds: false },
              { value: '\\whoami.exe', holds: true },
            ],
          },
        ],
      },
    ]);
  });

  it('names the one part that decides', () => {
    const explained = explain(
      '{selection: {Image: "*whoami*"}, filter_user: {User|contains: ann}, filter_other: {User: bob}, ' +
        'condition: selection and not 1 of filter_*}',
    );
    expect(explained.matches).toBe(false);
    expect(parts(explained, 'holds')).toEqual(['selection', 'filter_user']);
    expect(parts(explained, 'decides')).toEqual(['filter_user']);
  });

  it('names none where two parts would have to come out otherwise', () => {
    expect(parts(explain('{a: {User: bob}, b: {User: eve}, condition: a and b}'), 'decides')).toEqual([]);
  });

  it('tells an absent field from an empty one', () => {
    const record = { ...started, data: { ...started.data, Company: '' } };
    const explained = explain('{s: {Company: x, Product: x}, condition: s}', record);
    const items = explained.views[0]!.identifiers[0]!.alternatives[0]!.items;
    expect(items.map(({ field, found }) => [field, found])).toEqual([
      ['Company', ['']],
      ['Product', null],
    ]);
  });

  it('tells what a listed value says by itself, and what neq makes of the whole', () => {
    const explained = explain('{s: {User|contains|neq: [ann, bob]}, condition: s}');
    const item = explained.views[0]!.identifiers[0]!.alternatives[0]!.items[0]!;
    expect(item.holds).toBe(false);
    expect(item.values.map(({ holds }) => holds)).toEqual([true, false]);
  });

  it('explains keywords and alternatives one by one', () => {
    const explained = explain('{s: [whoami, nothing, {User: eve}], condition: s}');
    expect(explained.views[0]!.identifiers[0]!.alternatives.map(({ holds }) => holds)).toEqual([true, false, false]);
    expect(explained.views[0]!.identifiers[0]!.alternatives[0]!.items[0]).toMatchObject({
      key: '',
      field: null,
      found: null,
    });
  });

  it('reads the fields of 4688 through its mapping', () => {
    const record: FakeRecord = {
      channel: 'Security',
      provider: 'Microsoft-Windows-Security-Auditing',
      eventId: 4688,
      data: { NewProcessName: 'C:\\a.exe', NewProcessId: '0x10', ProcessId: '0x4' },
    };
    const explained = explain('{s: {Image: "C:\\\\a.exe", ProcessId: 16}, condition: s}', record);
    expect(explained.matches).toBe(true);
    expect(explained.views[0]!.mapping).toBe('M1-4688');
    expect(explained.views[0]!.identifiers[0]!.alternatives[0]!.items.map(({ found }) => found)).toEqual([
      ['C:\\a.exe'],
      ['16'],
    ]);
  });

  it('says that a record is of another log source, and how the rest comes out', () => {
    const explained = explain('{s: {User|contains: ann}, condition: s}', { ...started, eventId: 3 });
    expect(explained.matches).toBe(false);
    expect(explained.views).toMatchObject([{ sourceHolds: false, conditionHolds: true }]);
    expect(explained.recordSources).toContainEqual({
      product: 'windows',
      category: 'network_connection',
      service: 'sysmon',
    });
  });

  it('says when a Sigma filter takes a match away', () => {
    const filter =
      '---\ntitle: F\nlogsource: {product: windows}\nfilter: {rules: any, ann: {User|contains: ann}, condition: not ann}';
    const explained = explain('{s: {Image: "*"}, condition: s}', started, filter);
    expect(explained).toMatchObject({ matches: false, views: [{ conditionHolds: true, isFiltered: true }] });
  });

  it('agrees with the plain evaluator on every shipped rule, over records of the shipped samples', async () => {
    const shipped = (path: string): URL => new URL(`../../../config/${path}`, import.meta.url);
    const { rules } = loadRules(await readRuleFiles([shipped('sigma').pathname])).rules;
    let matches = 0;
    for (const name of ['security', 'sysmon', 'powershell']) {
      const tables = freshTables();
      let number = 0;
      await readEvtx(sourceOf(readFileSync(shipped(`samples/intrusion-${name}.evtx`))), tables, (event) => {
        if (number++ % 149 !== 0) return;
        for (const rule of rules) {
          const explained = explainRule(rule, event, tables.fields);
          if (explained.matches) matches++;
          expect([rule.path, explained.matches]).toEqual([rule.path, plainlyHolds(rule, event, tables.fields)]);
        }
      });
    }
    expect(matches).toBeGreaterThan(0);
  });
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValueTable } from '../events/value-table.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { type FakeRecord, fakeEvent } from '../testing/fake-event.ts';
import { plainlyHolds } from '../testing/plain-evaluator.ts';
import { freshTables } from '../testing/read-all.ts';
import { ruleOf } from '../testing/rule-check.ts';
import { Matcher } from './matcher.ts';

const fields = ['Image', 'CommandLine', 'User', 'EventID', 'Channel', 'ProcessId', 'Missing'];
const words = [
  'cmd',
  'CMD.exe',
  '\\cmd.exe',
  ' -a',
  ' /b',
  'x',
  '4',
  '0x4',
  '10.0.0.1',
  '',
  'a*b',
  'a\\*b',
  '?',
  'Ünï',
];

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words).map((word) => JSON.stringify(word)) },
  { weight: 1, arbitrary: fc.constantFrom('4', '16', 'true', 'null', '1.5') },
);
const modifiers = fc.constantFrom(
  '',
  '',
  '|contains',
  '|contains',
  '|startswith',
  '|endswith',
  '|contains|all',
  '|windash|contains',
  '|cased',
  '|contains|cased',
  '|neq',
  '|re',
  '|re|i',
  '|gt',
  '|exists',
  '|fieldref',
  '|fieldref|contains',
  '|cidr',
  '|base64offset|contains',
);
const item = fc
  .tuple(fc.constantFrom(...fields, ''), modifiers, fc.array(value, { minLength: 1, maxLength: 12 }), fc.boolean())
  .map(([field, chain, values, flag]) => {
    if (chain === '|exists') return `'${field || 'User'}|exists': ${flag}`;
    if (chain.startsWith('|fieldref')) return `'${field || 'User'}${chain}': ${flag ? 'Image' : 'CommandLine'}`;
    if (chain === '|cidr') return `'${field || 'User'}|cidr': 10.0.0.0/8`;
    if (chain === '|gt') return `'${field || 'User'}|gt': 4`;
    if (chain.startsWith('|re')) return `'${field}${chain}': ${flag ? "'c.d'" : "'^[cx]|b$'"}`;
    return `'${field}${chain}': [${values.join(', ')}]`;
  });
const map = fc
  .uniqueArray(item, { minLength: 1, maxLength: 3, selector: (text) => text.split("'")[1] })
  .map((items) => `{${items.join(', ')}}`);
const identifier = fc.oneof(
  map,
  fc.array(map, { minLength: 1, maxLength: 3 }).map((maps) => `[${maps.join(', ')}]`),
  fc.constantFrom('cmd', '[x, cmd.exe]'),
);
const condition = fc.constantFrom(
  'a',
  'not a',
  'a and not b',
  'a or b and c',
  '(a or b) and not c',
  '2 of them',
  'not 1 of b*',
  'all of them',
);
const source = fc.constantFrom(
  '{product: windows}',
  '{product: windows, category: process_creation}',
  '{product: windows, service: security}',
  '{product: windows, category: registry_set}',
);
const rule = fc
  .tuple(identifier, identifier, identifier, condition, source)
  .map(([a, b, c, text, logSource]) => ruleOf(`a: ${a}\nb: ${b}\nc: ${c}\ncondition: ${text}`, logSource));

const text = fc.oneof(
  fc.constantFrom(...words),
  fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((parts) => parts.join('')),
  fc.constantFrom(null, 4, true, 'a-b', 'x /a', 'C:\\CMD.EXE', '::ffff:10.1.1.1', 'y'.repeat(5000)),
);
const data = fc.dictionary(
  fc.constantFrom('Image', 'CommandLine', 'User', 'ProcessId', 'NewProcessName', 'OperationType', 'Other', 'Channel'),
  fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: fc.array(text, { minLength: 2, maxLength: 3 }) }),
);
const record: fc.Arbitrary<FakeRecord> = fc.record({
  channel: fc.constantFrom('Security', 'Microsoft-Windows-Sysmon/Operational', 'Application'),
  eventId: fc.constantFrom(1, 4, 4688, 4657, 13),
  data,
});

describe('Matcher', () => {
  it.each([
    ['with room to remember', () => new ValueTable()],
    ['without', () => new ValueTable(20_000)],
  ])('finds what the plain evaluator finds, for rules and records at random, %s', (_, values) => {
    let matches = 0;
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 12 }),
        fc.array(record, { minLength: 1, maxLength: 8 }),
        (rules, records) => {
          const loaded = loadRules([{ path: 'r.yml', text: rules.join('---\n') }]).rules.rules;
          const tables = { ...freshTables(), values: values() };
          const matcher = new Matcher(loaded, tables);
          for (const one of [...records, ...records]) {
            tables.values.nextRecord();
            const event = fakeEvent(tables, one);
            const found: number[] = [];
            matcher.match(event, (number) => found.push(number));
            const expected = loaded.flatMap((each, number) =>
              plainlyHolds(each, event, tables.fields) ? [number] : [],
            );
            matches += expected.length;
            expect(found.sort((a, b) => a - b)).toEqual(expected);
          }
        },
      ),
      { numRuns: 500 },
    );
    expect(matches).toBeGreaterThan(1000);
  });

  it('names a rule once, by however many rows and anchors it is found', () => {
    const yaml = ruleOf("s: {Field|contains: [a, ab, abc]}\n'k': abc\ncondition: s or k", '{category: registry_event}');
    const { rules } = loadRules([{ path: 'r.yml', text: yaml }]).rules;
    const tables = freshTables();
    const found: number[] = [];
    const event = fakeEvent(tables, {
      channel: 'Microsoft-Windows-Sysmon/Operational',
      eventId: 13,
      data: { Field: ['abc', 'xab'], Other: 'abc' },
    });
    new Matcher(rules, tables).match(event, (number) => found.push(number));
    expect(found).toEqual([0]);
  });

  it('finds the same where what tells sources apart is compared in many ways', () => {
    const conditions = [
      '{Provider_Name: P7, Image: cmd}',
      '{Provider_Name|endswith: "7"}',
      '{EventID: 1, Image: cmd}',
      '{EventID: [1, 4688], sha1: ab}',
      '{Channel|contains: sysmon, Image|contains: c}',
      '{EventLog: Security}',
      '{EventID|startswith: "4"}',
      '{EventID: 4688}',
    ];
    const documents = Array.from({ length: 600 }, (_, at) =>
      ruleOf(
        `s: ${conditions[at % conditions.length]}\ncondition: s`,
        at % 2 === 0 ? '{product: windows}' : '{category: process_creation}',
      ),
    );
    const { rules } = loadRules([{ path: 'r.yml', text: documents.join('---\n') }]).rules;
    const tables = freshTables();
    const matcher = new Matcher(rules, tables);
    for (let at = 0; at < 400; at++) {
      for (const [channel, eventId] of [
        ['Microsoft-Windows-Sysmon/Operational', 1],
        ['Security', 4688],
        ['Security', at],
      ] as const) {
        tables.values.nextRecord();
        const given = { Image: 'cmd', NewProcessName: 'cmd', Hashes: 'SHA1=ab' };
        const event = fakeEvent(tables, { channel, provider: `P${at}`, eventId, data: given });
        const found: number[] = [];
        matcher.match(event, (number) => found.push(number));
        if (at % 20 !== 7) continue;
        const expected = rules.flatMap((each, number) => (plainlyHolds(each, event, tables.fields) ? [number] : []));
        expect(found.sort((a, b) => a - b)).toEqual(expected);
      }
    }
  });

  it('finds the same where a log has more sources than are kept', () => {
    const tables = freshTables();
    for (let at = 0; at < 70_000; at++) tables.routes.windows('Channel', 'Provider', String(at));
    const yaml = ruleOf('s: {EventID: 4688, Image: cmd, User: "*"}\ncondition: s', '{category: process_creation}');
    const { rules } = loadRules([{ path: 'r.yml', text: yaml }]).rules;
    const matcher = new Matcher(rules, tables);
    const given = { NewProcessName: 'cmd', SubjectUserName: 'x' };
    for (const [one, expected] of [
      [{ channel: 'Security', provider: 'A', eventId: 4688, data: given }, 1],
      [{ channel: 'Security', provider: 'B', eventId: 4688, data: given }, 1],
      [{ channel: 'Security', provider: 'B', eventId: 4689, data: given }, 0],
      [{ channel: 'System', provider: 'B', eventId: 4688, data: given }, 0],
    ] as const) {
      let found = 0;
      matcher.match(fakeEvent(tables, one), () => found++);
      expect(found).toBe(expected);
    }
    expect(matcher.isFull).toBe(true);
  });

  it('lets go of the events, with all that they were read into', async () => {
    setFlagsFromString('--expose_gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { rules } = loadRules([{ path: 'r.yml', text: ruleOf('s: {Image: cmd}\nk: [x]\ncondition: s or k') }]).rules;
    const tables = freshTables();
    const matcher = new Matcher(rules, tables);
    const seen = ['A', 'B'].map((channel) => {
      const event = fakeEvent(tables, { channel, data: { Image: 'cmd' } });
      matcher.match(event, () => {});
      return new WeakRef(event);
    });
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(seen.map((event) => event.deref())).toEqual([undefined, undefined]);
    expect(matcher.isFull).toBe(false);
  });
});

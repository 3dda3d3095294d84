import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import type { Analysis } from '../findings.ts';
import type { ByteSource } from '../readers/reader.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { mostToldRules, rulesOf } from './told-rules.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const mebibyte = 1024 * 1024;
/** What reading results may take beside what is there before, whatever they are. */
const most = 300 * mebibyte;
const lookEvery = 4 * mebibyte;

/** A text of any length: a begin, a piece again and again, and an end. */
function repeated(begin: string, pieceOf: (nth: number) => string, times: number, end: string): ByteSource {
  const encoder = new TextEncoder();
  const known = new Map<string, Uint8Array<ArrayBuffer>>();
  const encoded = (piece: string): Uint8Array<ArrayBuffer> => {
    const bytes = known.get(piece) ?? encoder.encode(piece);
    if (piece.length > lookEvery / 64) known.set(piece, bytes);
    return bytes;
  };
  let at = 0;
  let nth = -1;
  let rest = encoder.encode(begin);
  const restart = (): void => {
    [at, nth, rest] = [0, -1, encoder.encode(begin)];
  };
  return {
    size: Number.POSITIVE_INFINITY,
    read: async (offset, into) => {
      if (offset < at) restart();
      let filled = 0;
      while (filled < into.length) {
        if (rest.length === 0) {
          if (++nth > times) break;
          rest = encoded(nth === times ? end : pieceOf(nth));
          continue;
        }
        if (at < offset) {
          const passed = Math.min(offset - at, rest.length);
          [at, rest] = [at + passed, rest.subarray(passed)];
          continue;
        }
        const part = rest.subarray(0, into.length - filled);
        into.set(part, filled);
        filled += part.length;
        at += part.length;
        rest = rest.subarray(part.length);
      }
      return filled;
    },
  };
}

/** Analyses them, and tells the most memory that was in use meanwhile, garbage aside. */
async function analyzed(make: () => ByteSource): Promise<Analysis & { readonly memory: number }> {
  const { rules: none } = loadRules([]);
  collectGarbage();
  const inUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const before = inUse();
  let memory = 0;
  let next = lookEvery;
  const onProgress = (bytes: number): void => {
    if (bytes < next) return;
    next = bytes + lookEvery;
    collectGarbage();
    memory = Math.max(memory, inUse() - before);
  };
  const options = { logType: 'detection_results' as const, onProgress };
  const rules = await rulesOf(make(), { ...options, rules: none });
  const analysis = await analyze(make(), { ...options, rules, maxSamples: 10, raw: { maxBytes: mebibyte } });
  collectGarbage();
  return { ...analysis, memory: Math.max(memory, inUse() - before) };
}

const long = 'x'.repeat(mebibyte);
const zeros = '\u0000'.repeat(mebibyte);
const opened = '{"a":'.repeat(100_000);
const brackets = '['.repeat(mebibyte);
const ones = '1,'.repeat(500_000);
const hit = (nth: number): string =>
  `{"RuleTitle":"Rule ${nth}","RuleID":"id-${nth}","Level":"high","Computer":"PC","Channel":"Sec","EventID":1,"Details":{}}\n`;
const zircolite =
  '[{"title":"T","id":"a","sigma":["x"],"rule_level":"high","tags":["attack.t1059"],"count":1,"matches":[';
const row = '{"RuleTitle":"T","Level":"low","Computer":"PC","Channel":"Sec","EventID":1,"Details":';

describe('results that are made to do harm', () => {
  it.each<[string, () => ByteSource, number]>([
    // A line of ten gigabytes is no longer than this, as no more than the longest record of it is ever held.
    ['one line without an end', () => repeated('{"RuleTitle":"', () => long, 20, ''), 0],
    [
      'one cell of a table without an end',
      () => repeated('Timestamp,RuleTitle,Level,Computer,Channel\n"', () => long, 20, ''),
      0,
    ],
    ['one event without an end', () => repeated(`${zircolite}{"a":"`, () => long, 20, '"}]}]'), 0],
    [
      'a head without an end',
      () => repeated('[{"title":"T","count":1,"sigma":["', () => long, 20, '"],"matches":[{"a":1}]}]'),
      0,
    ],
    ['zero bytes', () => repeated('', () => zeros, 20, ''), 0],
    ['values nested without an end', () => repeated(row, () => opened, 2, ''), 0],
    ['lists nested without an end', () => repeated(row, () => brackets, 2, ''), 0],
    ['a list of very many values', () => repeated(`${row}[`, () => ones, 14, '1]}'), 1],
    [
      'very many events of one rule',
      () => repeated(zircolite, (n) => `{"EventID":1,"Channel":"c${n}","EventRecordID":${n}},`, 30_000, '{"a":1}]}]'),
      30_001,
    ],
    ['very many rules', () => repeated('', hit, 50_000, ''), 50_000],
  ])('end in bounded memory: %s', async (_name, make, events) => {
    const analysis = await analyzed(make);
    expect(analysis.memory).toBeLessThan(most);
    expect(analysis.events).toBe(events);
    expect(analysis.findings.length).toBeLessThanOrEqual(mostToldRules);
    if (events === 0) expect(analysis.problems.length).toBeGreaterThan(0);
  });

  it('say that there were more rules than are kept', async () => {
    const { findings, problems } = await analyzed(() => repeated('', hit, mostToldRules + 5, ''));
    expect(findings).toHaveLength(mostToldRules);
    expect(problems).toMatchObject([{ code: 'rule-unknown', count: 5 }]);
  });

  it('drop what has values of the wrong kind, and nothing else', async () => {
    const wrong = [
      { RuleTitle: ['x'], Level: 1, Computer: {}, Channel: null },
      { RuleTitle: null, Level: null, Computer: null, Channel: null },
      {
        RuleTitle: 7,
        Level: {},
        Computer: [],
        Channel: true,
        EventID: 'x',
        Details: [[[]]],
        MitreTags: { a: 1 },
        RuleID: {},
      },
      { group: 1, kind: 2, document: 'x', name: 'n' },
      { group: 'g', kind: 'aggregate', documents: { a: 1 }, name: 'n' },
      { group: 'g', kind: 'aggregate', documents: [null, 1, { data: 5 }], name: 'n' },
      {
        group: 'g',
        kind: 'individual',
        document: { data: { Event: [1], Event_attributes: 3 } },
        name: 'n',
        tags: 'x',
        authors: 9,
      },
      { title: {}, count: [], rule_level: 1, matches: [{ a: 1 }] },
      { title: 'T', count: 'x', rule_level: [], tags: 'attack.t1', matches: [1, 'x', null, { __proto__: 1 }] },
      { Timestamp: {}, Tags: null, Author: [], Title: 'C', Message: 5 },
    ];
    const lines = wrong.map((one) => JSON.stringify(one)).join('\n');
    const bytes = new TextEncoder().encode(`${lines}\n${hit(1)}`);
    const analysis = await analyzed(() => repeated('', () => new TextDecoder().decode(bytes), 1, ''));
    expect(analysis.findings.map(({ ruleName, count }) => `${ruleName} ${count}`).sort()).toEqual([
      '7 1',
      'C 1',
      'Rule 1 1',
      'n 1',
    ]);
    expect(analysis.problems).toMatchObject([{ code: 'record-malformed', count: 6 }]);
  });
});

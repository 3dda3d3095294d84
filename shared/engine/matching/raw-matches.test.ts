import { describe, expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { sourceOf } from '../testing/read-all.ts';
import type { RawMatch, RawMatches } from './raw-matches.ts';

const rule = (title: string, value: string): string => `title: ${title}
id: 0000000${value.length}-0000-4000-8000-000000000000
level: high
tags: [attack.execution]
logsource: {product: windows}
detection: {a: {Channel: '${value}'}, condition: a}
`;
const { rules } = loadRules([{ path: 'r.yml', text: [rule('All', '*'), rule('Système', 'System')].join('---\n') }]);
const log = [
  { EventID: 1, Channel: 'System', Computer: 'ws1', EventRecordID: 7, SystemTime: '2026-08-01T10:00:00Z' },
  { EventID: 2, Channel: 'Séc', Computer: 'ws2', EventRecordID: 8, SystemTime: '2026-08-01T10:00:01Z' },
]
  .map((event) => `${JSON.stringify(event)}\n`)
  .join('');

async function raw(maxBytes: number, take?: (lines: Uint8Array) => void, text = log): Promise<RawMatches> {
  const options = { rules, logType: 'json_evtx', maxSamples: 1, raw: { maxBytes, ...(take && { take }) } } as const;
  return (await analyze(sourceOf(new TextEncoder().encode(text)), options)).raw!;
}

const textOf = ({ chunks }: RawMatches): string => Buffer.concat(chunks).toString();
const matchesOf = (kept: RawMatches): RawMatch[] =>
  textOf(kept)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RawMatch);

describe('matches as lines', () => {
  it('tell the rule and the whole event, once for each rule', async () => {
    const kept = await raw(10_000);
    expect(kept.isTruncated).toBe(false);
    const lines = matchesOf(kept);
    expect(lines.map(({ rule: { title }, nth, record_id: id }) => [title, nth, id])).toEqual([
      ['All', 1, '7'],
      ['Système', 2, '7'],
      ['All', 1, '8'],
    ]);
    expect(lines[1]).toMatchObject({
      ts: '2026-08-01T10:00:00Z',
      rule: { id: '00000006-0000-4000-8000-000000000000', level: 'high', tags: ['attack.execution'] },
      computer: 'ws1',
      channel: 'System',
      event_id: '1',
      record: { Channel: 'System', EventID: 1 },
    });
  });

  it('are handed over while the log is read, where somebody takes them', async () => {
    const taken: Uint8Array[] = [];
    const many = log.repeat(300);
    expect(textOf(await raw(Number.POSITIVE_INFINITY, (lines) => taken.push(lines), many))).toBe('');
    expect(taken.length).toBeGreaterThan(2);
    expect(Buffer.concat(taken).toString()).toBe(textOf(await raw(10_000_000, undefined, many)));
  });

  it('end with a whole line at the bound, which is one of bytes', async () => {
    const whole = textOf(await raw(10_000));
    const size = Buffer.byteLength(whole);
    expect(size).toBeGreaterThan(whole.length);
    expect((await raw(size)).isTruncated).toBe(false);
    for (const maxBytes of [size - 1, whole.length, 500, 1, 0]) {
      const kept = await raw(maxBytes);
      const text = textOf(kept);
      expect([maxBytes, kept.isTruncated, whole.startsWith(text)]).toEqual([maxBytes, true, true]);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      expect(text === '' || text.endsWith('\n')).toBe(true);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { loadRules } from '../sigma/load-rules.ts';
import type { EvtxEvent } from '../testing/evtx-element.ts';
import { writeEvtx } from '../testing/evtx-writer.ts';
import { sourceOf } from '../testing/read-all.ts';
import { tryRules } from './try-rules.ts';

const started = (at: number, image: string, eventId = 1): EvtxEvent => ({
  provider: 'Microsoft-Windows-Sysmon',
  channel: 'Microsoft-Windows-Sysmon/Operational',
  computer: 'ws-01.example.test',
  eventId,
  time: new Date(Date.UTC(2026, 2, 1, 10, at)).toISOString(),
  recordId: 100n + BigInt(at),
  data: { Image: image, User: at % 2 === 0 ? 'CORP\\ann' : 'CORP\\bob' },
});
const log = writeEvtx([
  ...Array.from({ length: 6 }, (_, at) => started(at, 'C:\\whoami.exe')),
  started(6, 'C:\\calc.exe'),
  started(7, 'C:\\whoami.exe', 3),
]);
const rule = `title: Who Am I
id: 2f3c1a10-0000-4000-8000-000000000001
level: high
logsource: {product: windows, category: process_creation}
detection:
  selection: {Image|endswith: ['\\whoami.exe', '\\id.exe']}
  filter: {User: 'CORP\\bob'}
  condition: selection and not filter
`;

async function tried(text: string, maxSamples = 2, bytes: Uint8Array = log) {
  const { rules, rejected } = loadRules([{ path: 'r.yml', text }]);
  expect(rejected).toEqual([]);
  return tryRules(sourceOf(bytes), { rules, logType: 'auto', maxSamples });
}

describe('tryRules', () => {
  it('counts matches and records of the log source, and says why the first ones match', async () => {
    const { logType, records, rules } = await tried(rule);
    expect({ logType, records }).toEqual({ logType: 'evtx', records: 8 });
    expect(rules).toMatchObject([{ title: 'Who Am I', level: 'high', count: 3, ofSource: 7, isCorrelation: false }]);
    expect(rules[0]!.matches.map(({ recordId }) => recordId)).toEqual(['100', '102']);
    expect(rules[0]!.matches[0]).toMatchObject({
      fields: { User: 'CORP\\ann' },
      reasons: [{ part: 'selection', key: 'Image|endswith', found: ['C:\\whoami.exe'], values: ['\\whoami.exe'] }],
    });
  });

  it('tells a rule that finds nothing from one whose log source is not there', async () => {
    const nothing = await tried(rule.replace("'\\whoami.exe', ", ''));
    expect(nothing.rules).toMatchObject([{ count: 0, ofSource: 7, matches: [] }]);
    const elsewhere = await tried(rule.replace('product: windows', 'product: linux'));
    expect(elsewhere.rules).toMatchObject([{ count: 0, ofSource: 0 }]);
  });

  it('tries correlations with the rules that they count, which keep silent', async () => {
    const correlated = `${rule}name: who
---
title: Many
id: 2f3c1a10-0000-4000-8000-000000000002
correlation: {type: event_count, rules: [who], group-by: [Computer], timespan: 10m, condition: {gte: 3}}
`;
    const { rules } = await tried(correlated);
    expect(rules).toMatchObject([{ title: 'Many', isCorrelation: true, count: 3, ofSource: 7 }]);
    expect(rules[0]!.matches[0]).toMatchObject({ reasons: [] });
  });

  it('names keywords without a field', async () => {
    const keyword = rule.replace(/detection:[^]*/, 'detection: {k: [nothing, whoami], condition: k}\n');
    const { rules } = await tried(keyword, 1);
    expect(rules[0]!.matches[0]!.reasons).toEqual([{ part: 'k', key: '', found: null, values: ['whoami'] }]);
  });
});

import { expect, it } from 'vitest';
import { toExportedFinding, toMatchedEvent } from './findings.ts';

const fields = { Image: 'a.exe', User: 'x', EventID: 1, _offset: 512, _recovered: true, _file: 'logs/a.evtx' };
const shown = '{"Image":"a.exe","User":"x","EventID":1,"_file":"logs/a.evtx"}';
const head = { recordId: '1', timestamp: null, computer: null, channel: null, eventId: '1' };

it('shows the fields of an event in its order, and not where the reader found it', () => {
  expect(JSON.stringify(toMatchedEvent({ ...head, fields }).fields)).toBe(shown);
});

it('exports them as it shows them', () => {
  const rule = { ruleId: 'r1', ruleName: 'A rule', ruleAuthor: null, severity: 'high', tags: [] } as const;
  const found = {
    ...rule,
    jobId: 1,
    engine: 'sigma-native',
    suppressed: 0,
    count: 1,
    events: [{ fields }],
    foundBy: ['sigma-native'],
  };
  expect(JSON.stringify(toExportedFinding(found).details)).toBe(`[${shown}]`);
});

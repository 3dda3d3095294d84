import { expect, it } from 'vitest';
import { evidenceLine } from './evidence-line.ts';

const sample = (fields: Record<string, unknown>) => ({
  recordId: '1',
  timestamp: null,
  computer: 'ws-01',
  channel: null,
  eventId: '1',
  fields: fields as Record<string, string>,
});

it.each([
  [['ws-01'], { Image: 'cmd.exe', CommandLine: 'cmd  /c whoami' }, 'ws-01  CommandLine: cmd /c whoami'],
  [['ws-01', 'dc-01'], { Image: 'cmd.exe', CommandLine: ' ' }, 'ws-01 +1  Image: cmd.exe'],
  [['ws-01'], { Version: '5' }, 'ws-01'],
  [[], { commandline: 'a\u001B[31mb' }, 'commandline: a?[31mb'],
])('of %j and %j is %s', (computers, fields, line) => {
  expect(evidenceLine({ computers, samples: [sample(fields)] }, { withHost: true })).toBe(line);
});

it('of a log with one host leaves its name out', () => {
  const finding = { computers: ['ws-01'], samples: [sample({ CommandLine: 'x'.repeat(300) })] };
  const line = evidenceLine(finding, { withHost: false });
  expect([line.slice(0, 15), line.length, line.at(-1)]).toEqual(['CommandLine: xx', 200, '…']);
});

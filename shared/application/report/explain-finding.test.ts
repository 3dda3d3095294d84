import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { explainFinding } from './explain-finding.ts';

let test: TestPorts;
let ports: Ports;
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

const channel = 'Microsoft-Windows-Sysmon/Operational';
const fields = { Channel: channel, EventID: 1, Image: 'C:\\a\\whoami.exe', CommandLine: 'whoami /all', _offset: 4096 };
const event = { recordId: '7', timestamp: null, computer: null, channel, eventId: '1', fields };
const rule = `title: Tried
level: high
logsource: {product: windows, category: process_creation}
detection:
  selection: {Image|endswith: ['\\cmd.exe', '\\whoami.exe']}
  filter: {CommandLine|contains: ' /priv'}
  condition: selection and not filter
`;

async function findingWith(ruleSource: string | null): Promise<number> {
  test.engine.behave = async () => output({ findings: [finding({ events: [event], ruleSource })] });
  const job = await analyzeLog(ports, visitor, { fileName: 'sysmon.evtx' });
  return (await ports.findings.withEvents(job))[0]!.id;
}

async function why(ruleSource: string | null, place = 0) {
  const told = await explainFinding(ports, visitor, { id: await findingWith(ruleSource), event: place });
  return operations.explainFinding.output.parse(told);
}

it('tells which parts of the rule hold, and the values that they hold for, in the words of the rule', async () => {
  expect(await why(rule)).toEqual({
    event: 0,
    note: null,
    rule: {
      conditions: ['selection and not filter'],
      matches: true,
      log_source: 'windows / process_creation',
      parts: [
        {
          name: 'selection',
          holds: true,
          alternatives: [
            {
              holds: true,
              items: [
                {
                  key: 'Image|endswith',
                  found: ['C:\\a\\whoami.exe'],
                  holds: true,
                  values: [{ value: '\\whoami.exe', holds: true }],
                  more: 1,
                },
              ],
            },
          ],
        },
        {
          name: 'filter',
          holds: false,
          alternatives: [
            {
              holds: false,
              items: [
                {
                  key: 'CommandLine|contains',
                  found: ['whoami /all'],
                  holds: false,
                  values: [{ value: ' /priv', holds: false }],
                  more: 0,
                },
              ],
            },
          ],
        },
      ],
    },
  });
});

it('says so where the kept fields alone do not match', async () => {
  const told = await why(rule.replace('whoami', 'other'));
  expect(told).toMatchObject({ rule: { matches: false }, note: expect.stringContaining('does not match') });
});

it.each([
  ['a rule that was not kept', null, /was not kept/],
  ['a rule that cannot be read', 'title: x\ndetection: {condition: nothing}', /cannot be read any more \(line \d+: /],
  [
    'a correlation',
    'title: C\ncorrelation: {type: event_count, rules: [other], timespan: 1h, group-by: [a], condition: {gte: 2}}',
    /is a correlation/,
  ],
])('tells in a sentence why it cannot be told: %s', async (_, source, sentence) => {
  expect(await why(source)).toEqual({ event: 0, note: expect.stringMatching(sentence), rule: null });
});

it('tells that an event is not kept', async () => {
  expect(await why(rule, 1)).toMatchObject({ event: 1, note: 'No such event of this finding is kept.', rule: null });
});

it('holds the rule against any of all matches, by its place in the log', async () => {
  const lineOf = (nth: number): Buffer => {
    const { ruleId: id, ruleName: title, severity: level, tags } = finding();
    const record = { ...fields, CommandLine: nth === 70 ? 'whoami /priv' : 'whoami' };
    const { timestamp: ts, computer } = event;
    const head = { computer, channel, event_id: '1', record_id: String(nth) };
    return Buffer.from(`${JSON.stringify({ ts, rule: { id, title, level, tags }, nth: 1, ...head, record })}\n`);
  };
  const raw = { chunks: Array.from({ length: 80 }, (_, nth) => lineOf(nth)), isTruncated: false };
  test.engine.behave = async () =>
    output({ findings: [finding({ count: 80, events: [event], ruleSource: rule })], raw });
  const job = await analyzeLog(ports, visitor, { fileName: 'sysmon.evtx' });
  const { id } = (await ports.findings.withEvents(job))[0]!;
  const told = (match: number) => explainFinding(ports, visitor, { id, event: 0, match });
  expect(await told(69)).toMatchObject({ event: 69, note: null, rule: { matches: true } });
  expect(await told(70)).toMatchObject({ event: 70, rule: { matches: false } });
  expect(await told(80)).toMatchObject({ event: 80, note: 'No such event of this finding is kept.' });
});

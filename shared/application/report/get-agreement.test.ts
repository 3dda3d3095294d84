import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor, TaskStatus } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getAgreement } from './get-agreement.ts';
import type { NewFinding, StoredEvent } from './new-finding.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
});
beforeEach(() => test.reset());
afterAll(() => test.close());

/** A job with what the built-in engine found, and what others did in tasks beside it. */
async function jobOf(
  native: readonly NewFinding[],
  others: Readonly<
    Record<string, { readonly status?: Extract<TaskStatus, 'completed' | 'failed'>; findings: readonly NewFinding[] }>
  >,
): Promise<number> {
  const { ports } = test;
  test.engine.behave = async () => output({ findings: native });
  const id = await analyzeLog(ports, visitor);
  for (const [engine, { status = 'completed', findings }] of Object.entries(others)) {
    const added = { engine, status: 'running', errorMessage: null, bytesTotal: 8 } as const;
    const [task = 0] = await ports.results.addTasks(id, [added], ports.clock.now());
    const outcome = {
      ...output({ findings }),
      status,
      durationMs: 5,
      errorMessage: status === 'failed' ? 'exit code 3' : null,
      logOutput: '',
      rawOutputs: [],
      eventPack: null,
    };
    expect(await ports.results.finishTask(task, outcome, ports.clock.now())).toBe(true);
  }
  return id;
}

async function agreementOf(id: number, actor = visitor) {
  const answer = await getAgreement(test.ports, actor, { id });
  expect(operations.getAgreement.output.parse(answer)).toEqual(answer);
  return answer;
}

function event(recordId: string, over: Partial<StoredEvent> = {}): StoredEvent {
  return {
    recordId,
    timestamp: '2026-08-01T10:15:00Z',
    computer: 'WS1.example.org',
    channel: 'Security',
    eventId: '4688',
    fields: { NewProcessName: 'C:\\Windows\\System32\\cmd.exe' },
    ...over,
  };
}

const [first, second] = ['0f06a3a5-0000-4000-8000-000000000001', '0f06a3a5-0000-4000-8000-000000000002'];
const rule = (id: string, title: string, detection: string, more = '') => `title: ${title}
id: ${id}
${more}logsource:
  product: windows
  category: process_creation
detection:
${detection.replace(/^/gm, '  ')}
`;

it('lays findings side by side by rule id and names the records that engines share', async () => {
  const id = await jobOf(
    [
      finding({ ruleId: first, ruleName: 'One', severity: 'medium', count: 2, events: [event('1'), event('2')] }),
      finding({ ruleId: second, ruleName: 'Two', severity: 'low', ruleSource: null }),
    ],
    {
      // In another case, and of another severity.
      'evtx-hunt': {
        findings: [
          finding({
            ruleId: first.toUpperCase(),
            ruleName: 'One, renamed',
            severity: 'critical',
            events: [event('2', { computer: 'ws1.EXAMPLE.org' })],
          }),
        ],
      },
    },
  );
  const { engines, rules } = await agreementOf(id);
  expect(engines).toMatchObject([
    { tool: 'sigma-native', compared: true, rules: 2, only: 1, matches: 3 },
    { tool: 'evtx-hunt', compared: true, rules: 1, only: 0, matches: 1 },
  ]);
  expect(rules).toMatchObject([
    {
      rule_id: first,
      rule_name: 'One',
      severity: 'medium',
      found: [
        { count: 2, severity: null },
        { count: 1, severity: 'critical' },
      ],
      agreement: 'counts',
      records: { known: 2, in_common: 1, complete: true },
    },
    { rule_name: 'Two', found: [{ count: 1 }, null], agreement: 'some', records: null, causes: [] },
  ]);
});

it('takes converted copies for the rule that they are of, and rules without a known id by their title', async () => {
  const copies = ['sysmon', 'builtin'].map((kind, at) =>
    finding({
      ruleId: `aaaaaaaa-0000-4000-8000-00000000000${at}`,
      ruleName: 'One',
      ruleSource: rule(
        `aaaaaaaa-0000-4000-8000-00000000000${at}`,
        `One (${kind})`,
        'sel: {Image: a}\ncondition: sel',
        `related:\n  - id: ffffffff-0000-4000-8000-00000000000f\n    type: derived\n  - id: ${first}\n    type: derived\n`,
      ),
      events: [],
    }),
  );
  const id = await jobOf([finding({ ruleId: first, ruleName: 'One', count: 2 }), finding({ ruleId: second })], {
    'evtx-timeline': { findings: copies },
    'sigma-text': { findings: [finding({ ruleId: null, ruleName: ' encoded  PowerShell command line' })] },
  });
  const { rules } = await agreementOf(id);
  expect(rules.map(({ rule_id: ruleId, found }) => [ruleId, found.map((cell) => cell?.count ?? 0)])).toEqual([
    [first, [2, 2, 0]],
    [second, [1, 0, 1]],
  ]);
});

it.each<[string, string, Partial<StoredEvent>, readonly [string, string, boolean][]]>([
  [
    'evtx-hunt',
    'sel: {CommandLine|windash|contains: -a}\ncondition: sel',
    { eventId: '1' },
    [['evtx-hunt', 'windash', true]],
  ],
  [
    'evtx-hunt',
    'sel: {DestinationIp|cidr: 10.0.0.0/8}\ncondition: sel',
    { eventId: '3' },
    [['evtx-hunt', 'cidr', true]],
  ],
  ['evtx-hunt', 'keywords: [mimikatz]\ncondition: keywords', { eventId: '1' }, [['evtx-hunt', 'keyless', true]]],
  ['evtx-hunt', 'sel: {Image: a}\ncondition: sel', {}, [['evtx-hunt', 'fields of 4688', true]]],
  ['evtx-hunt', 'a: {Image: a}\nb: {CommandLine: b}\ncondition: a or b', {}, [['evtx-hunt', 'fields of 4688', false]]],
  ['evtx-hunt', 'sel: {CommandLine: a}\ncondition: sel', {}, [['evtx-hunt', 'mapping file', false]]],
  ['evtx-timeline', 'sel: {CommandLine: a}\ncondition: sel', {}, [['evtx-timeline', 'its own list', false]]],
  [
    'evtx-timeline',
    'sel: {Provider_Name: a}\ncondition: sel',
    { fields: { UserData_Root: 'a' } },
    [['evtx-timeline', 'its own list', false]],
  ],
  [
    'evtx-timeline',
    'sel: {ParameterName: a}\ncondition: sel',
    { fields: { UserData_Root: 'a' } },
    [['evtx-timeline', 'UserData', false]],
  ],
  [
    'evtx-timeline',
    'sel: {LogonProcessName: NtLmSsp}\ncondition: sel',
    { fields: { LogonProcessName: 'NtLmSsp ' } },
    [['evtx-timeline', 'blanks', false]],
  ],
  ['evtx-hunt', 'sel: {Image: a}\ncondition: sel', { eventId: '5156' }, [['evtx-hunt', '5156 and 4657', true]]],
  [
    'evtx-hunt',
    'sel: {Image: a}\nf: {User: b}\ncondition: sel and not f',
    { eventId: '1' },
    [['evtx-hunt', 'absent field', false]],
  ],
  ['evtx-timeline', 'sel: {CommandLine|windash: -a}\ncondition: sel', {}, [['evtx-timeline', 'one way', false]]],
  ['sigma-multi', 'sel: {IntegrityLevel: High}\ncondition: sel', {}, [['sigma-multi', 'IntegrityLevel', true]]],
  ['sigma-multi', 'sel: {OriginalFileName: a}\ncondition: sel', { eventId: '1' }, [['sigma-multi', 'column', false]]],
  ['sigma-multi', 'sel: {NewProcessName: a}\ncondition: sel', { eventId: '1' }, []],
])('tells why %s may lack a rule with %j', async (engine, detection, over, told) => {
  const ruleSource = rule(first, 'One', detection);
  const id = await jobOf([finding({ ruleId: first, ruleSource, events: [event('1', over)] })], {
    [engine]: { findings: [] },
  });
  const [only] = (await agreementOf(id)).rules;
  expect(only?.causes.map(({ tool, certain }) => [tool, certain])).toEqual(told.map(([tool, , sure]) => [tool, sure]));
  expect(only?.causes.map(({ name }, at) => name.includes(told[at]![1]))).toEqual(told.map(() => true));
});

it('does not say that a rule was not loaded where it was found, if less often', async () => {
  const ruleSource = rule(first, 'One', 'sel: {CommandLine|windash|contains: -a}\ncondition: sel');
  const found = finding({ ruleId: first, ruleSource, events: [event('1', { eventId: '1' })] });
  const id = await jobOf([{ ...found, count: 3 }], { 'evtx-hunt': { findings: [found] } });
  expect((await agreementOf(id)).rules).toMatchObject([{ agreement: 'counts', causes: [] }]);
});

it('tells rules of an engine alone from those that only may be in no pack', async () => {
  const own = finding({ ruleId: null, ruleName: 'Own', ruleSource: null });
  const foreign = finding({ ruleId: second, ruleName: 'Foreign', severity: 'low', ruleSource: null });
  const id = await jobOf([], { 'evtx-hunt': { findings: [own, foreign] } });
  expect((await agreementOf(id)).rules.map(({ causes }) => causes)).toMatchObject([
    [{ tool: 'evtx-hunt', name: 'a rule of its own', certain: true }],
    [{ tool: 'sigma-native', name: 'not among the rules of the packs', certain: false }],
  ]);
});

it('compares none that failed, and says why to those who may know', async () => {
  const id = await jobOf([finding()], { 'sigma-multi': { status: 'failed', findings: [] } });
  const { engines, rules } = await agreementOf(id);
  expect(rules).toEqual([]);
  expect(engines[1]).toMatchObject({ status: 'failed', compared: false, error: 'This engine failed' });
  expect((await agreementOf(id, await addAdmin(test.ports))).engines[1]).toMatchObject({ error: 'exit code 3' });
  const three = await jobOf([finding()], {
    'sigma-multi': { status: 'failed', findings: [] },
    'evtx-hunt': { findings: [finding()] },
  });
  expect((await agreementOf(three)).rules).toMatchObject([
    { agreement: 'all', found: [{ count: 1 }, null, { count: 1 }] },
  ]);
});

it('scores a job by the engines that found something among those that ran', async () => {
  const id = await jobOf([finding()], {
    'sigma-multi': { status: 'failed', findings: [] },
    'evtx-hunt': { findings: [] },
    'evtx-timeline': { findings: [finding()] },
  });
  const { ports } = test;
  const skipped = { engine: 'sigma-text', status: 'skipped', errorMessage: 'not supported', bytesTotal: 8 } as const;
  await ports.results.addTasks(id, [skipped], ports.clock.now());
  expect(await ports.results.totals(id)).toMatchObject({ scoreRatio: '2/4', totalFindings: 2, distinctRules: 1 });
});

it('does not know jobs that the viewer may not see', async () => {
  const id = await jobOf([finding()], {});
  await expect(getAgreement(test.ports, visitor, { id: id + 1 })).rejects.toMatchObject({ code: 'not_found' });
});

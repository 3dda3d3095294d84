import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { ThreadRuleTester } from '@svc/adapters/local/thread-rule-tester.ts';
import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { testRule } from './test-rule.ts';

const sample = readFileSync(new URL('../../../config/samples/intrusion-sysmon.evtx', import.meta.url));
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
let test: TestPorts;
let ports: Ports;
let admin: Actor;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  admin = await addAdmin(ports);
});
afterAll(() => test.close());

const whoami = {
  recordId: '7',
  timestamp: '2026-03-01T10:00:00Z',
  computer: 'ws-01',
  channel: 'Microsoft-Windows-Sysmon/Operational',
  eventId: '1',
  fields: {
    Provider_Name: 'Microsoft-Windows-Sysmon',
    Channel: 'Microsoft-Windows-Sysmon/Operational',
    EventID: 1,
    Image: 'C:\\Windows\\whoami.exe',
    CommandLine: `whoami ${'x'.repeat(5000)}`,
    _offset: 4096,
  },
};

async function analyzed(isPrivate = false): Promise<number> {
  // The same event is kept with each rule that it matched.
  test.engine.behave = async () =>
    output({ findings: ['a', 'b'].map((ruleId) => finding({ ruleId, events: [whoami] })) });
  return analyzeLog(ports, admin, { fileName: 'sysmon.evtx', content: sample, is_private: isPrivate });
}

const rule = (detection: string, more = ''): string =>
  `title: Tried\nlevel: high\nlogsource: {product: windows, category: process_creation}\ndetection: ${detection}\n${more}`;
const image = rule("{selection: {Image|endswith: ['\\cmd.exe', '\\whoami.exe']}, condition: selection}");

function tried(source: string, against: 'logs' | 'events' = 'logs', actor = admin) {
  return testRule(ports, actor, { source, against, jobs: 10 });
}

it('holds a rule against all of a log, and says why it matches, as the contract says', async () => {
  const jobId = await analyzed();
  const result = await tried(image);
  expect(operations.testRule.output.parse(result)).toEqual(result);
  expect(result).toMatchObject({ rejected: [], complete: true, rules: [{ title: 'Tried', correlation: false }] });
  const [job] = result.jobs;
  expect(job).toMatchObject({ job_id: jobId, filename: 'sysmon.evtx', checked: 'log', reason: null });
  expect(job!.records).toBeGreaterThan(500);
  const [own] = job!.rules;
  expect(own!.count).toBeGreaterThan(0);
  expect(own!.of_source).toBeGreaterThan(own!.count);
  expect(job!.events[0]!.reasons).toMatchObject([{ part: 'selection', key: 'Image|endswith' }]);
});

it('holds it against the events that were kept, each once', async () => {
  await analyzed();
  const { jobs } = await tried(image, 'events');
  expect(jobs).toMatchObject([{ checked: 'events', records: 1, rules: [{ count: 1, of_source: null }] }]);
  const [event] = jobs[0]!.events;
  expect(event!.reasons).toMatchObject([{ found: ['C:\\Windows\\whoami.exe'], values: ['\\whoami.exe'] }]);
  expect(String(event!.fields['CommandLine'])).toHaveLength(4001);
});

it('falls back to kept events where the log is too large when it is unpacked, and says so', async () => {
  const content = gzipSync(Buffer.concat([sample, Buffer.alloc(64 * 1024 * 1024)]), { level: 1 });
  test.engine.behave = async () => output({ findings: [finding({ ruleId: 'a', events: [whoami] })] });
  await analyzeLog(ports, admin, { fileName: 'sysmon.evtx.gz', content });
  const { jobs } = await tried(image);
  expect(jobs).toMatchObject([{ checked: 'events', reason: 'The log is larger than 64 MiB', records: 1 }]);
});

it('falls back to kept events where the log is gone, and says so', async () => {
  const jobId = await analyzed();
  const record = await ports.jobs.get(jobId);
  await ports.objects.delete(record!.file.storageKey);
  const { jobs } = await tried(image);
  expect(jobs).toMatchObject([{ checked: 'events', reason: 'The log is not kept any more', records: 1 }]);
});

it('looks at each file once, and at none that the actor may not see', async () => {
  await analyzed(true);
  await analyzed(true);
  expect((await tried(image)).jobs).toHaveLength(1);
  expect((await tried(image, 'logs', visitor)).jobs).toEqual([]);
});

it('tells of what does not compile, with its line', async () => {
  await analyzed();
  const result = await tried(rule('{s: {Image|nonsense: x}, condition: s}'));
  expect(result).toMatchObject({
    rules: [],
    jobs: [],
    rejected: [{ line: 4, message: expect.stringContaining('nonsense') }],
  });
  expect(await tried('a: [')).toMatchObject({ rules: [], rejected: [{ line: 1 }] });
});

it('is over in time, whatever the rule', async () => {
  await analyzed();
  const impatient = { ...ports, ruleTester: new ThreadRuleTester({ timeoutMs: 1 }) };
  const asked = { source: image, against: 'logs', jobs: 10 } as const;
  await expect(testRule(impatient, admin, asked)).rejects.toMatchObject({ code: 'pack_refused' });
  const cramped = { ...ports, ruleTester: new ThreadRuleTester({ memoryMb: 4 }) };
  await expect(testRule(cramped, admin, asked)).rejects.toMatchObject({ code: 'pack_refused' });
  const bomb = `a: &a [x, x, x, x, x, x, x, x]\n${Array.from({ length: 40 }, (_, at) => {
    const name = String.fromCodePoint(98 + (at % 24)) + at;
    const before = at === 0 ? 'a' : String.fromCodePoint(98 + ((at - 1) % 24)) + (at - 1);
    return `${name}: &${name} [*${before}, *${before}, *${before}, *${before}]\n`;
  }).join('')}`;
  expect((await tried(bomb)).rejected).toHaveLength(1);
  const slow = rule(`{s: {CommandLine|re: '(x+x+)+y'}, condition: s}`);
  const result = await tried(slow);
  expect(result.rules.length + result.rejected.length).toBe(1);
});

it('shows what it has when time is up', async () => {
  await analyzed();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const running = await new ThreadRuleTester({}).begin(image);
    vi.advanceTimersByTime(20_000);
    expect(await running.run({ events: [], logType: 'evtx' }, 1)).toBeNull();
    await running.end();
    const begin = async () => ({ ...running, end: async () => undefined });
    const spent = { begin, beginAside: begin };
    const asked = { source: image, against: 'logs', jobs: 10 } as const;
    const result = await testRule({ ...ports, ruleTester: spent }, admin, asked);
    expect(result).toMatchObject({ rules: [{ title: 'Tried' }], jobs: [], complete: false });
  } finally {
    vi.useRealTimers();
  }
});

it('lets others wait while two tests run', async () => {
  const tester = new ThreadRuleTester({});
  const running = await Promise.all([tester.begin(image), tester.begin(image)]);
  await expect(tester.begin(image)).rejects.toMatchObject({ code: 'busy' });
  await Promise.all(running.map((one) => one.end()));
  await (await tester.begin(image)).end();
});

it('is not kept busy by tests that could not begin', async () => {
  // Nothing that a thread can be given.
  const placeholdersFile = Symbol('lost') as unknown as string;
  const tester = new ThreadRuleTester({ placeholdersFile });
  for (let turn = 0; turn < 3; turn += 1) {
    await expect(tester.begin(image)).rejects.toMatchObject({ name: 'DataCloneError' });
  }
});

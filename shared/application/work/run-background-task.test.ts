import { dropOutputs } from './remove-by-age.ts';
import { recordSubmission } from '../submissions/record-submission.ts';
import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import type { RawMatch } from '@svc/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteJob } from '../jobs/delete-job.ts';
import { gatherFindingMatches, getMatchGathering } from '../report/gather-finding-matches.ts';
import { groupFindingMatches } from '../report/group-finding-matches.ts';
import { listFindingMatches } from '../report/list-finding-matches.ts';
import { recalculateAnalytics } from '../report/recalculate-analytics.ts';
import type { Ports } from '../ports/ports.ts';
import { handleTask } from './handle-task.ts';
import { recoverBackgroundTasks, removeEndedTasks } from './run-background-task.ts';

const admin: Actor = { kind: 'account', userId: '', email: 'admin@example.org', role: 'admin', ip: '' };
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(async () => {
  await test.reset();
  ports = test.ports;
});
afterAll(() => test.close());

function match(hour: number, over: Partial<RawMatch> = {}): RawMatch {
  const { ruleId: id, ruleName: title, severity: level, tags } = finding();
  const head = { computer: 'ws1', channel: 'Security', event_id: '1', record_id: String(hour) };
  const ts = `2026-08-01T0${hour}:00:00Z`;
  const record = { User: 'CORP\\mallory', Image: 'C:\\evil.exe', CommandLine: 'evil.exe /x' };
  return { ts, rule: { id, title, level, tags }, nth: 1, ...head, record, ...over };
}

async function analyzed(lines: readonly RawMatch[], isTruncated = false): Promise<number> {
  const raw = { chunks: lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`)), isTruncated };
  test.engine.behave = async () => output({ findings: [finding({ count: lines.length })], derived: derived(), raw });
  return analyzeLog(ports, visitor);
}

const ask = (id: number) => recalculateAnalytics(ports, admin, { id });
/** Does what is queued beside analyses; how many tasks. */
async function work(over: Partial<Ports> = {}): Promise<number> {
  for (let done = 0; ; done += 1) {
    const lease = await ports.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['prompt', 'heavy'] });
    if (!lease) return done;
    await handleTask({ ...ports, ...over }, lease, { leave: new AbortController().signal });
  }
}
const outcomeOf = async (id: number) => {
  const last = await ports.backgroundTasks.latest('recalculate_single_analytics', id);
  return last && [last.status, last.detail ?? last.errorMessage];
};

describe('a log that is read again for all matches of a finding', () => {
  const matches = 6000;
  const title = 'Many Of Them';
  const ruleSource = `title: ${title}
id: ${finding().ruleId}
level: high
logsource: {product: windows, service: powershell}
detection: {sel: {EventID: 4104, Path|endswith: .ps1}, condition: sel}
`;
  const eventOf = (nth: number) => ({
    Channel: 'Microsoft-Windows-PowerShell/Operational',
    EventID: 4104,
    Provider_Name: 'Microsoft-Windows-PowerShell',
    Computer: 'ws1',
    EventRecordID: nth,
    TimeCreated: '2026-08-01T07:00:00Z',
    // Every third is none of the matches.
    Path: `C:\\x${nth % 5}.${nth % 3 === 0 ? 'txt' : 'ps1'}`,
  });

  /** A finding whose raw output was cut behind its first match. */
  async function cutFinding(over: Partial<ReturnType<typeof finding>> = {}): Promise<number> {
    const content = Array.from({ length: 1.5 * matches }, (_, nth) => `${JSON.stringify(eventOf(nth))}\n`).join('');
    const first = match(7, { rule: { id: finding().ruleId, title, level: 'high', tags: [] }, record_id: '1' });
    const raw = { chunks: [Buffer.from(`${JSON.stringify(first)}\n`)], isTruncated: true };
    const found = finding({ ruleName: title, count: matches, ruleSource, ...over });
    test.engine.behave = async () => output({ findings: [found], derived: derived(), raw });
    const job = await analyzeLog(ports, visitor, {
      fileName: 'powershell.json',
      content,
      log_type_override: 'json_evtx',
    });
    return (await ports.findings.withEvents(job))[0]!.id;
  }
  const page = (id: number, nth: number) => listFindingMatches(ports, visitor, { id, page: nth });
  const last = async (id: number) => (await getMatchGathering(ports, admin, { id })).last;

  it('has every match at hand, tells how far it is, and is not read twice', async () => {
    const id = await cutFinding();
    expect(await page(id, 1)).toMatchObject({ complete: false, count: matches, more: false });
    expect(await getMatchGathering(ports, admin, { id })).toEqual({ refused: null, last: null });
    expect(await gatherFindingMatches(ports, admin, { id })).toMatchObject({ already: false });
    expect(await gatherFindingMatches(ports, admin, { id })).toMatchObject({ already: true });
    const told: string[] = [];
    const backgroundTasks = overriding(ports.backgroundTasks, {
      progress: async (task, done, at) => {
        told.push(done.detail);
        return ports.backgroundTasks.progress(task, done, at);
      },
    });
    expect(await work({ backgroundTasks })).toBe(1);
    expect(told.length).toBeGreaterThan(0);
    expect(told.join('\n')).toMatch(/^(\d{1,3}% of the log\n?)+$/);
    expect(await last(id)).toEqual({ status: 'completed', detail: 'read to its end' });
    expect(await page(id, 1)).toMatchObject({ from: 'kept', complete: true, more: true });
    const { events, more } = await page(id, matches / 50);
    expect([events.length, more, events.at(-1)?.record_id]).toEqual([50, false, String(1.5 * matches - 1)]);
    const { events: grouped, groups } = await groupFindingMatches(ports, visitor, { id, field: 'Path' });
    expect([grouped, groups.length, groups[0]!.count]).toEqual([matches, 5, matches / 5]);

    await gatherFindingMatches(ports, admin, { id });
    await work();
    expect(await last(id)).toEqual({ status: 'completed', detail: 'kept: all matched events are at hand' });
    const { jobId } = (await ports.findings.get(null, id))!;
    const keys = (await ports.rawOutputs.ofJob(jobId)).map(({ storageKey }) => storageKey);
    expect(keys).toHaveLength(3);
    await deleteJob(ports, visitor, { id: jobId });
    for (const key of keys) expect(await ports.objects.exists(key)).toBe(false);
  });

  it('leaves nothing where its job goes meanwhile', async () => {
    const id = await cutFinding();
    await gatherFindingMatches(ports, admin, { id });
    const { jobId } = (await ports.findings.get(null, id))!;
    const made: string[] = [];
    const objects = overriding(ports.objects, {
      create: async (suffix, content, area) => {
        const stored = await ports.objects.create(suffix, content, area);
        made.push(stored.key);
        await deleteJob(ports, visitor, { id: jobId });
        return stored;
      },
    });
    expect(await work({ objects })).toBe(1);
    expect(made).toHaveLength(1);
    expect(await ports.objects.exists(made[0]!)).toBe(false);
  });

  it('says why it cannot be', async () => {
    const correlation = 'title: C\ncorrelation: {type: event_count, rules: [a], timespan: 1h, condition: {gte: 2}}';
    const of = async (id: number) => (await getMatchGathering(ports, admin, { id })).refused;
    expect(await of(await cutFinding({ ruleSource: null }))).toBe('The source of the rule was not kept');
    expect(await of(await cutFinding({ ruleSource: correlation.replace('\nc', '\n\nc') }))).toMatch(
      /^The rule is a correl/,
    );
    const id = await cutFinding();
    const { jobId } = (await ports.findings.get(null, id))!;
    await ports.objects.delete((await ports.jobs.get(jobId))!.file.storageKey);
    expect(await of(id)).toBe('The log is not kept any more');
    await expect(gatherFindingMatches(ports, admin, { id })).rejects.toMatchObject({ code: 'conflict' });
    const broken = await cutFinding({ ruleSource: 'title: x\ndetection: {condition: nothing}' });
    await gatherFindingMatches(ports, admin, { id: broken });
    await work();
    expect(await last(broken)).toEqual({ status: 'failed', detail: 'The rule cannot be read any more' });
  });
});

it('derives analytics, timeline and processes again from raw outputs', async () => {
  const id = await analyzed([match(7), match(8), match(8)]);
  const [before] = (await ports.findings.page(id, { severity: null, page: 1, per: 1 })).findings;
  expect(await ask(id)).toMatchObject({ already: false });
  expect(await work()).toBe(1);
  expect(await outcomeOf(id)).toEqual(['completed', 'recalculated from 3 matched events']);
  const analytics = await ports.derivations.analytics(id);
  expect(analytics).toMatchObject({
    events: 3,
    hours: [
      { hour: '2026-08-01T07', tactics: { execution: 1 } },
      { hour: '2026-08-01T08', tactics: { execution: 2 } },
    ],
    entities: { user: [{ value: 'CORP\\mallory', count: 3 }], executable: [{ value: 'evil.exe', count: 3 }] },
  });
  const alerts = await ports.derivations.alerts(id);
  expect(alerts).toMatchObject({ total: 3, tools: ['sigma-native'], computers: ['ws1'] });
  expect(alerts?.keys).toEqual([[finding().ruleId, finding().ruleName, 'high', 'execution', 0, 0, before?.id]]);
  expect(await work()).toBe(0);
});

it('does not begin what has ended its process three times, and says so', async () => {
  const id = await analyzed([match(7)]);
  await ask(id);
  for (const attempt of [1, 2, 3]) {
    const lease = await ports.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['prompt'] });
    expect(lease).toMatchObject({ attempt });
    await ports.ledger.dropLeases();
  }
  expect(await work()).toBe(1);
  expect(await outcomeOf(id)).toEqual(['failed', 'not done: its process ended 3 times']);
  expect(await work()).toBe(0);
});

it.each([
  ['they are not all there was', async () => analyzed([match(7)], true)],
  [
    'their time is over',
    async () => {
      const id = await analyzed([match(7)]);
      await dropOutputs(ports, new Date(Date.now() + 1000), 10);
      return id;
    },
  ],
  [
    'the store has lost them',
    async () => {
      const id = await analyzed([match(7)]);
      for (const { storageKey } of await ports.rawOutputs.ofJob(id)) await ports.objects.delete(storageKey);
      return id;
    },
  ],
])('keeps what is stored where %s', async (_why, make) => {
  const id = await make();
  const stored = [await ports.derivations.analytics(id), await ports.derivations.alerts(id)];
  await ask(id);
  await work();
  expect(await outcomeOf(id)).toEqual(['completed', expect.stringMatching(/^kept: /)]);
  expect([await ports.derivations.analytics(id), await ports.derivations.alerts(id)]).toEqual(stored);
});

it('answers a repeat with the task in flight, and refuses jobs that are not there or not done', async () => {
  const id = await analyzed([match(7)]);
  const first = await ask(id);
  expect(await ask(id)).toEqual({ ...first, already: true });
  await work();
  expect((await ask(id)).task_id).toBeGreaterThan(first.task_id);
  await expect(ask(id + 1000)).rejects.toMatchObject({ code: 'not_found' });
  const { job, file } = (await ports.jobs.get(id))!;
  const who = { submittedBy: null, submitterIp: '', submittedName: 'a', isPrivate: false };
  const { job: pending } = await recordSubmission(ports, {
    file: { id: file.id },
    job: { workflowId: job.workflowId, logType: job.logType, ...who },
    reuse: null,
    marks: { receipt: null, upload: null, caseId: null, tags: [], by: null, at: new Date() },
  });
  await expect(ask(pending.id)).rejects.toMatchObject({ code: 'conflict' });
});

it('fails with the reason, and leaves the other tasks their turn', async () => {
  const [broken, gone, good] = [await analyzed([match(7)]), await analyzed([match(7)]), await analyzed([match(7)])];
  const reportConfig = { current: () => Promise.reject(new Error('threat_detection.yaml: categories: wrong')) };
  await ask(broken);
  await work({ reportConfig });
  expect(await outcomeOf(broken)).toEqual(['failed', 'threat_detection.yaml: categories: wrong']);
  expect(await ports.derivations.analytics(broken)).not.toBeNull();
  await ask(gone);
  await ask(good);
  await deleteJob(ports, visitor, { id: gone });
  expect(await work()).toBe(2);
  expect(await outcomeOf(gone)).toEqual(['completed', expect.stringMatching(/^kept: /)]);
  expect(await outcomeOf(good)).toEqual(['completed', 'recalculated from 1 matched events']);
});

it('takes over what a lost process began, and forgets what ended long ago', async () => {
  const id = await analyzed([match(7)]);
  const { task_id } = await ask(id);
  await ports.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['prompt'] });
  expect(await ports.backgroundTasks.begin(task_id, new Date())).toMatchObject({ targetId: id, status: 'running' });
  expect(await work()).toBe(0);
  await ports.ledger.dropLeases();
  expect(await work()).toBe(1);
  expect(await outcomeOf(id)).toEqual(['completed', 'recalculated from 1 matched events']);
  expect(await removeEndedTasks(ports)).toBe(0);
  test.advance(31 * 86_400);
  expect(await removeEndedTasks(ports)).toBe(1);
  expect(await outcomeOf(id)).toBeNull();
});

it('fails with the reason when the queue is away, and answers so', async () => {
  const id = await analyzed([match(7)]);
  const tasks = overriding(ports.tasks, { enqueue: () => Promise.reject(new Error('no queue')) });
  const asking = recalculateAnalytics({ ...ports, tasks }, admin, { id });
  await expect(asking).rejects.toMatchObject({ code: 'unavailable' });
  expect(await outcomeOf(id)).toEqual(['failed', 'it could not be queued']);
  expect(await ask(id)).toMatchObject({ already: false });
});

it('queues what has no place in the queue, as after an upgrade, and nothing twice', async () => {
  const [noted, begun] = [await analyzed([match(7)]), await analyzed([match(8)])];
  const kind = 'recalculate_single_analytics';
  for (const targetId of [noted, begun]) {
    const { id } = await ports.backgroundTasks.request({ kind, targetId, requestedBy: '' }, new Date());
    if (targetId === begun) await ports.backgroundTasks.begin(id, new Date());
  }
  expect(await work()).toBe(0);
  expect(await recoverBackgroundTasks(ports)).toBe(2);
  expect(await recoverBackgroundTasks(ports)).toBe(0);
  expect(await work()).toBe(2);
  expect([await outcomeOf(noted), await outcomeOf(begun)].map((outcome) => outcome?.[0])).toEqual([
    'completed',
    'completed',
  ]);
});

it('tries again in a while when the outcome cannot be noted', async () => {
  const id = await analyzed([match(7)]);
  await ask(id);
  const backgroundTasks = overriding(ports.backgroundTasks, { finish: () => Promise.reject(new Error('no database')) });
  const delays: number[] = [];
  const tasks = overriding(ports.tasks, {
    release: (lease, how) => {
      delays.push(how.delaySeconds);
      return ports.tasks.release(lease, { ...how, delaySeconds: 0 });
    },
  });
  const lease = (await ports.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['prompt'] }))!;
  await handleTask({ ...ports, backgroundTasks, tasks }, lease, { leave: new AbortController().signal });
  expect(delays).toEqual([30]);
  expect(await outcomeOf(id)).toEqual(['running', null]);
  expect(await work()).toBe(1);
  expect((await outcomeOf(id))?.[0]).toBe('completed');
});

import { recordSubmission } from '../submissions/record-submission.ts';
import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor, Role } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { cancelJob } from './cancel-job.ts';
import { exportFindings } from '../report/export-findings.ts';
import { getFindingEvents } from '../report/get-finding-events.ts';
import { getFindingRule } from '../report/get-finding-rule.ts';
import { getJobProgress } from './get-job-progress.ts';
import { getJob } from './get-job.ts';
import { listFindings } from '../report/list-findings.ts';
import { listJobs } from './list-jobs.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

const everything = { q: '', tags: [], page: 1, per: 20 };

let test: TestPorts;
let ports: Ports;
let owner: Actor;
let other: Actor;
let admin: Actor;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  owner = await signedIn('owner@example.org', 'user');
  other = await signedIn('other@example.org', 'member');
  admin = await signedIn('admin@example.org', 'admin');
});
afterAll(() => test.close());

async function signedIn(email: string, role: Role): Promise<Actor> {
  const { id } = await ports.accounts.create({ email, passwordHash: 'x', role, displayName: null });
  return { kind: 'account', userId: id, email, role, ip: '192.0.2.7' };
}

/** An analysed job of this actor. */
function analyzed(actor: Actor, isPrivate = false): Promise<number> {
  return analyzeLog(ports, actor, { is_private: isPrivate });
}

it('answers as the contracts say', async () => {
  const id = await analyzed(visitor);
  const page = await listFindings(ports, visitor, { id, severity: undefined, page: 1 });
  const findingId = page.findings[0]?.id ?? 0;
  const answers = {
    listJobs: await listJobs(ports, visitor, everything),
    getJob: await getJob(ports, visitor, { id }),
    getJobProgress: await getJobProgress(ports, visitor, { id }),
    listFindings: page,
    exportFindings: await exportFindings(ports, visitor, { id }),
    getFindingEvents: await getFindingEvents(ports, visitor, { id: findingId }),
    getFindingRule: await getFindingRule(ports, visitor, { id: findingId }),
  };
  for (const [name, answer] of Object.entries(answers)) {
    expect(operations[name as keyof typeof answers].output.parse(answer)).toEqual(answer);
  }
  expect(answers.listJobs).toMatchObject({ total: 1, total_pages: 1, page: 1, has_running: false });
  expect(answers.getJobProgress).toMatchObject({ status: 'completed', terminal: true, total_findings: 1 });
  expect(answers.exportFindings[0]).toMatchObject({
    tool: 'sigma-native',
    rule_signature: '0f06a3a5-0000-4000-8000-000000000001:high',
    rule_author: 'J. Doe',
    details: [{ ProcessId: 4242 }],
  });
  expect(answers.getFindingRule).toMatchObject({
    language: 'yaml',
    content: 'title: Encoded PowerShell Command Line\n',
  });
  expect(answers.getFindingEvents).toMatchObject({ max: 10, events: [{ record_id: '1', event_id: '1' }] });
});

it('shows as many of the kept events of a finding as the site says', async () => {
  test.engine.behave = async () =>
    output({ findings: [finding({ events: Array.from({ length: 3 }, () => finding().events[0]!) })] });
  const id = await analyzed(visitor);
  const { findings } = await listFindings(ports, visitor, { id, severity: undefined, page: 1 });
  const findingId = findings[0]!.id;
  const shown = async () => [
    (await getFindingEvents(ports, visitor, { id: findingId })).events.length,
    (await exportFindings(ports, visitor, { id }))[0]!.details.length,
  ];
  expect(await shown()).toEqual([3, 3]);
  await ports.settings.change({ maxFindingDetails: 2 });
  expect(await shown()).toEqual([2, 2]);
});

it('shows a private job to its submitter and to administrators alone, in every verb', async () => {
  const id = await analyzed(owner, true);
  const [one] = await ports.findings.withEvents(id);
  const findingId = one?.id ?? 0;
  const verbs = (actor: Actor) => [
    () => getJob(ports, actor, { id }),
    () => getJobProgress(ports, actor, { id }),
    () => listFindings(ports, actor, { id, severity: undefined, page: 1 }),
    () => exportFindings(ports, actor, { id }),
    () => getFindingEvents(ports, actor, { id: findingId }),
    () => getFindingRule(ports, actor, { id: findingId }),
    () => cancelJob(ports, actor, { id }),
  ];
  for (const actor of [visitor, other]) {
    for (const verb of verbs(actor)) await expect(verb()).rejects.toMatchObject({ code: 'not_found' });
    expect((await listJobs(ports, actor, everything)).total).toBe(0);
  }
  for (const actor of [owner, admin]) {
    for (const verb of verbs(actor)) await expect(verb()).resolves.toBeDefined();
    expect((await listJobs(ports, actor, everything)).total).toBe(1);
  }
});

it('names the submitter to members, and only the kind of submitter to others', async () => {
  const [named, nameless] = [await analyzed(owner), await analyzed(visitor)];
  const shown = async (actor: Actor): Promise<string[]> => [
    (await getJob(ports, actor, { id: named })).submitter,
    (await getJob(ports, actor, { id: nameless })).submitter,
  ];
  expect(await shown(visitor)).toEqual(['account', 'anonymous']);
  expect(await shown(owner)).toEqual(['account', 'anonymous']);
  expect(await shown(other)).toEqual(['owner@example.org', 'anonymous']);
  expect(await shown(admin)).toEqual(['owner@example.org', 'anonymous']);
});

it('shows the original name of the file to administrators alone', async () => {
  const id = await analyzed(owner);
  expect((await getJob(ports, owner, { id })).original_filename).toBeNull();
  expect((await getJob(ports, admin, { id })).original_filename).toBe('Security.evtx');
});

it('tells a waiting job its place in the queue and how long it may take, and an ended one nothing', async () => {
  await analyzed(owner);
  const id = await submitLog(ports, owner);
  const waiting = await getJobProgress(ports, visitor, { id });
  expect(waiting).toMatchObject({ status: 'pending', queue_position: 1, estimated_remaining_s: expect.any(Number) });
  await cancelJob(ports, owner, { id });
  const ended = await getJobProgress(ports, visitor, { id });
  expect(ended).not.toHaveProperty('queue_position');
  expect(ended).not.toHaveProperty('estimated_remaining_s');
});

it('names what to submit again where a job answered a submission of the same', async () => {
  const id = await analyzed(owner);
  const { duplicate, file, workflow } = await getJob(ports, visitor, { id, dup: '1' });
  expect(duplicate).toEqual({ file_id: file.id, workflow_id: workflow.id });
  expect(await getJob(ports, visitor, { id })).not.toHaveProperty('duplicate');
});

it('filters findings by severity, and says when a rule has no source', async () => {
  const low = finding({ ruleId: 'low', severity: 'low', ruleSource: null, events: [] });
  test.engine.behave = async () => output({ findings: [finding(), low] });
  const id = await analyzed(visitor);
  const page = await listFindings(ports, visitor, { id, severity: 'low', page: 1 });
  expect(page).toMatchObject({ total: 1, findings: [{ rule_id: 'low', has_rule: false, has_details: false }] });
  const missing = getFindingRule(ports, visitor, { id: page.findings[0]?.id ?? 0 });
  await expect(missing).rejects.toMatchObject({ code: 'no_rule' });
});

it('offers to cancel only what can be cancelled by the viewer', async () => {
  const id = await analyzed(owner);
  expect((await getJob(ports, owner, { id })).can_cancel).toBe(false);
  const record = await ports.jobs.get(id);
  if (!record) throw new Error('no job');
  const { storageKey, sha256, sizeBytes, detectedType } = record.file;
  const pending = await recordSubmission(ports, {
    file: { storageKey, sha256, sizeBytes, detectedType, originalName: 'x', uploaderIp: '' },
    job: {
      workflowId: record.job.workflowId,
      submittedBy: record.job.submittedBy,
      submitterIp: '',
      submittedName: 'x',
      logType: 'evtx',
      isPrivate: false,
    },
    reuse: null,
    marks: { receipt: null, upload: null, caseId: null, tags: [], by: null, at: new Date() },
  });
  const offered = async (actor: Actor) => (await getJob(ports, actor, { id: pending.job.id })).can_cancel;
  expect([await offered(owner), await offered(admin), await offered(other), await offered(visitor)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(await cancelJob(ports, owner, { id: pending.job.id })).toMatchObject({ status: 'cancelled' });
});

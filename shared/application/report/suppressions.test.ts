import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations, type Suppression } from '@svc/contracts';
import type { Actor, Role } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addCaseJobs } from '../cases/add-to-case.ts';
import { getCaseSummary } from '../cases/get-case-overview.ts';
import { listCaseFindings } from '../cases/list-case-findings.ts';
import { quickCreateCase } from '../cases/open-case.ts';
import { countEntityLinks } from '../intel/count-entity-links.ts';
import { listEntityFindings } from '../intel/list-entity-findings.ts';
import { listEntityIds } from '../intel/list-entity-ids.ts';
import { getJob } from '../jobs/get-job.ts';
import { runBackgroundTask } from '../work/run-background-task.ts';
import { exportFindingsCsv } from './export-findings-csv.ts';
import { listFindings } from './list-findings.ts';
import { applyDueSuppressions } from './mark-suppressed.ts';
import type { StoredEvent } from './new-finding.ts';
import { exportRuleDecisions, importRuleDecisions } from './rule-decisions.ts';
import { addSuppression, listSuppressions, previewSuppression, removeSuppression } from './suppressions.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

async function account(name: string, role: Role = 'member'): Promise<Extract<Actor, { kind: 'account' }>> {
  const email = `${name}@example.org`;
  const { id } = await test.ports.accounts.create({ email, passwordHash: 'x', role, displayName: null });
  return { kind: 'account', userId: id, email, role, ip: '192.0.2.2' };
}

const ran = (Image: string, computer = 'WS1'): StoredEvent => ({
  recordId: '1',
  timestamp: '2026-08-01T10:15:00.5Z',
  computer,
  channel: 'Security',
  eventId: '4688',
  fields: { Image, User: ['ada', 'bob'] },
});

/** A job in which the rule `one` has matched these events, of as many as are said, and the rule `two` something else. */
async function reported(
  events: readonly StoredEvent[],
  over: { count?: number; is_private?: boolean; by?: Actor } = {},
) {
  const one = { ruleId: 'one', ruleName: 'One', severity: 'high' as const, count: over.count ?? events.length, events };
  const two = { ruleId: 'two', ruleName: 'Two', severity: 'low' as const, count: 2 };
  test.engine.behave = async () => output({ findings: [finding({ ...one, hosts: ['WS1'] }), finding(two)] });
  return analyzeLog(test.ports, over.by ?? visitor, { is_private: over.is_private ?? false });
}

async function drain(): Promise<void> {
  for (const { id, targetId } of await test.ports.backgroundTasks.inFlight()) {
    await runBackgroundTask(
      test.ports,
      { kind: 'apply_suppression', taskId: id, targetId: targetId ?? 0 },
      new AbortController().signal,
    );
  }
}

const tool = { field: 'Image', test: 'endswith', value: '\\BACKUP.exe' } as const;
const backup = { rule_id: 'one', rule_name: 'One', reason: 'our backup', case_id: null, expires_at: null };

async function suppress(actor: Actor, over: object = {}): Promise<Suppression> {
  const added = await addSuppression(test.ports, actor, { ...backup, conditions: [tool], ...over });
  await drain();
  expect(operations.addSuppression.output.parse(added)).toEqual(added);
  return added.suppression;
}

const numbersOf = async (id: number) => {
  const job = await getJob(test.ports, visitor, { id, dup: '0' });
  return {
    total: job.total_findings,
    rules: job.distinct_rules,
    high: job.severity_summary.high,
    low: job.severity_summary.low,
  };
};
const shownIn = async (id: number) =>
  (await listFindings(test.ports, visitor, { id, page: 1 })).findings.map((row) => [row.rule_id, row.suppressed]);

it('takes findings out of the figures of jobs that were there and of those to come, and gives them back', async () => {
  const root = await account('root', 'admin');
  const before = await reported([ran('C:\\backup.exe'), ran('D:\\Backup.exe')]);
  const wanted = { rule_id: 'one', case_id: null, conditions: [tool] };
  expect(await previewSuppression(test.ports, root, wanted)).toEqual({
    findings: 1,
    looked: 1,
    whole: 1,
    partly: 0,
    unknown: 0,
    events: 2,
    jobs: 1,
  });
  const { id } = await suppress(root);
  expect(await numbersOf(before)).toEqual({ total: 2, rules: 1, high: 0, low: 2 });
  // It is still there to be looked at.
  expect(await shownIn(before)).toEqual([
    ['one', 2],
    ['two', undefined],
  ]);
  const after = await reported([ran('C:\\backup.exe'), ran('C:\\evil.exe')]);
  expect(await numbersOf(after)).toEqual({ total: 3, rules: 2, high: 1, low: 2 });
  const { suppressions } = await listSuppressions(test.ports, root, {});
  expect(suppressions).toMatchObject([
    { id, state: 'active', reason: 'our backup', hits: { findings: 2, events: 3, jobs: 2 }, can_remove: true },
  ]);
  await removeSuppression(test.ports, root, { id });
  expect((await listSuppressions(test.ports, root, {})).suppressions).toMatchObject([{ state: 'removing' }]);
  await drain();
  expect(await listSuppressions(test.ports, root, {})).toEqual({ suppressions: [], can_add: true });
  expect(await numbersOf(before)).toEqual({ total: 4, rules: 2, high: 2, low: 2 });
  expect(await numbersOf(after)).toEqual({ total: 4, rules: 2, high: 2, low: 2 });
});

it('leaves suppressed findings out of what an entity’s page and searches count, and lists them apart', async () => {
  const root = await account('root', 'admin');
  const ran2 = [ran('C:\\backup.exe'), ran('D:\\Backup.exe')];
  const intel = {
    entities: [{ type: 'user' as const, value: 'ada', count: 2 }],
    findings: [{ rule: 0, entities: [0] }],
    relationships: [],
    isTruncated: false,
  };
  const one = finding({ ruleId: 'one', ruleName: 'One', count: 2, events: ran2, hosts: ['WS1'] });
  test.engine.behave = async () => output({ findings: [one], derived: derived({ intel }) });
  const job = await analyzeLog(test.ports, visitor);
  const id = (await test.ports.entities.find({ type: 'user', value: 'ada' }))!;
  const listed = async (suppressed: boolean) => {
    const asked = { id, page: 1, job: null, fold_aliases: false, suppressed };
    const { findings, total, total_suppressed: apart } = await listEntityFindings(test.ports, root, asked);
    return { jobs: findings.map((row) => [row.job_id, row.suppressed]), total, apart };
  };
  const counted = async () =>
    (await countEntityLinks(test.ports, root, { id, job: null, fold_aliases: false })).findings;
  const searched = async () => {
    const asked = { q: 'has:finding', types: [], entity_type: [], tags: [], min_jobs: 0, watchlist: false, job: null };
    const all = { ...asked, sort: 'last_seen', fold_aliases: false, include_allowlisted: true };
    return (await listEntityIds(test.ports, root, all)).ids;
  };
  expect([await listed(false), await counted()]).toEqual([{ jobs: [[job, 0]], total: 1, apart: 0 }, 1]);
  expect(await searched()).toEqual([id]);
  await suppress(root);
  expect([await listed(false), await counted()]).toEqual([{ jobs: [], total: 0, apart: 1 }, 0]);
  expect(await searched()).toEqual([]);
  expect(await listed(true)).toEqual({ jobs: [[job, 2]], total: 1, apart: 1 });
  const csv = new TextDecoder().decode(await exportFindingsCsv(test.ports, visitor, { id: job }));
  expect(csv.split('\r\n').slice(0, 2)).toEqual([
    expect.stringMatching(/,suppressed$/),
    expect.stringMatching(/^high,One,one,2,.*,2$/),
  ]);
});

it('suppresses nothing that cannot be told: more matches than were kept, but for the host or the rule alone', async () => {
  const root = await account('root', 'admin');
  const job = await reported([ran('C:\\backup.exe')], { count: 5000 });
  await suppress(root);
  expect(await numbersOf(job)).toMatchObject({ high: 5000 });
  const preview = await previewSuppression(test.ports, root, { rule_id: 'one', case_id: null, conditions: [tool] });
  expect(preview).toMatchObject({ looked: 1, whole: 0, unknown: 1 });
  await suppress(root, { conditions: [{ field: 'Computer', test: 'equals', value: 'ws1' }] });
  expect(await numbersOf(job)).toMatchObject({ high: 0 });
});

it('counts a match once, whichever of several suppress it, and those that stay go on', async () => {
  const root = await account('root', 'admin');
  const job = await reported([ran('C:\\backup.exe'), ran('C:\\update.exe')]);
  const first = await suppress(root);
  await suppress(root, { conditions: [{ field: 'Image', test: 'contains', value: '.exe' }] });
  expect(await numbersOf(job)).toMatchObject({ high: 0 });
  expect((await listSuppressions(test.ports, root, {})).suppressions.map(({ hits }) => hits.events)).toEqual([1, 1]);
  await removeSuppression(test.ports, root, { id: first.id });
  await drain();
  expect(await numbersOf(job)).toMatchObject({ high: 0 });
  expect((await listSuppressions(test.ports, root, {})).suppressions.map(({ hits }) => hits.events)).toEqual([2]);
});

it('ends by itself when its time is over', async () => {
  const root = await account('root', 'admin');
  const job = await reported([ran('C:\\backup.exe')]);
  const soon = new Date(test.ports.clock.now().getTime() + 60_000).toISOString();
  const past = test.ports.clock.now().toISOString();
  await expect(suppress(root, { expires_at: past })).rejects.toMatchObject({ code: 'bad_request' });
  await suppress(root, { expires_at: soon });
  expect(await numbersOf(job)).toMatchObject({ high: 0 });
  expect(await applyDueSuppressions(test.ports)).toBe(0);
  const later = { ...test.ports, clock: { now: () => new Date(Date.parse(soon) + 1) } };
  expect(await applyDueSuppressions(later)).toBe(1);
  for (const { id, targetId } of await test.ports.backgroundTasks.inFlight()) {
    await runBackgroundTask(
      later,
      { kind: 'apply_suppression', taskId: id, targetId: targetId ?? 0 },
      new AbortController().signal,
    );
  }
  expect(await numbersOf(job)).toMatchObject({ high: 1 });
  expect((await listSuppressions(later, root, {})).suppressions).toMatchObject([{ state: 'expired' }]);
  expect(await applyDueSuppressions(later)).toBe(0);
});

it('holds in a case alone, for those who see it, and for jobs that come into it', async () => {
  const [ada, bob] = [await account('ada'), await account('bob')];
  const job = await reported([ran('C:\\backup.exe')]);
  const asked = { name: 'A', job_id: job, entity_id: null, note: '', include_job_entities: false };
  const { case_id: id } = await quickCreateCase(test.ports, ada, asked);
  const inCase = async (suppressed: boolean) =>
    (await listCaseFindings(test.ports, ada, { id, q: '', host: '', suppressed })).findings.map((row) => row.rule_id);
  const { id: suppression } = await suppress(ada, { case_id: id });
  expect(await inCase(false)).toEqual(['two']);
  expect(await inCase(true)).toEqual(['one']);
  const { findings, top_rules: rules } = await getCaseSummary(test.ports, ada, { id });
  expect([findings, rules.map((rule) => rule.rule_name)]).toEqual([1, ['Two']]);
  // The report is everybody's.
  expect(await numbersOf(job)).toMatchObject({ high: 1 });
  expect(await shownIn(job)).toEqual([
    ['one', undefined],
    ['two', undefined],
  ]);
  const more = await reported([ran('C:\\backup.exe')]);
  await addCaseJobs(test.ports, ada, { id, job_ids: [more], include_entities: false, note: '' });
  expect(await applyDueSuppressions(test.ports)).toBe(1);
  await drain();
  expect(await inCase(false)).toEqual(['two', 'two']);
  // Others learn nothing of it.
  await expect(listSuppressions(test.ports, bob, { case_id: id })).rejects.toMatchObject({ code: 'case_not_found' });
  await expect(suppress(bob, { case_id: id })).rejects.toMatchObject({ code: 'case_not_found' });
  await expect(removeSuppression(test.ports, bob, { id: suppression })).rejects.toMatchObject({ code: 'not_found' });
  expect(await listSuppressions(test.ports, bob, {})).toEqual({ suppressions: [], can_add: false });
});

it('is of administrators for the whole instance, and keeps what was written down from a private job', async () => {
  const [ada, bob, root] = [await account('ada'), await account('bob'), await account('root', 'admin')];
  const hidden = await reported([ran('C:\\backup.exe')], { is_private: true, by: ada });
  const { findings } = await listFindings(test.ports, ada, { id: hidden, page: 1 });
  await expect(suppress(ada)).rejects.toMatchObject({ code: 'forbidden' });
  await suppress(root, { finding_id: findings[0]!.id });
  await expect(removeSuppression(test.ports, ada, { id: 999 })).rejects.toMatchObject({ code: 'not_found' });
  expect((await listSuppressions(test.ports, root, {})).suppressions).toMatchObject([
    { conditions: [tool], reason: 'our backup', hits: { findings: 1 } },
  ]);
  expect((await listSuppressions(test.ports, bob, {})).suppressions).toMatchObject([
    { conditions: null, reason: null, hits: { findings: 0, events: 0, jobs: 0, last_at: null }, can_remove: false },
  ]);
  const preview = await previewSuppression(test.ports, bob, { rule_id: 'one', case_id: null, conditions: [] });
  expect(preview).toMatchObject({ findings: 0, looked: 0, whole: 0, jobs: 0 });
});

it('goes out and comes in as a document, which says the same again', async () => {
  const root = await account('root', 'admin');
  const job = await reported([ran('C:\\backup.exe')]);
  const expires = '2099-01-01T00:00:00.000Z';
  const { id } = await suppress(root, { expires_at: expires });
  const text = new TextDecoder().decode(await exportRuleDecisions(test.ports));
  expect(await importRuleDecisions(test.ports, root, { document: text })).toMatchObject({
    suppressions: 0,
    skipped: ['It is suppressed already: One'],
  });
  await removeSuppression(test.ports, root, { id });
  await drain();
  expect(await numbersOf(job)).toMatchObject({ high: 1 });
  expect(await importRuleDecisions(test.ports, root, { document: text })).toEqual({
    overrides: 0,
    suppressions: 1,
    skipped: [],
  });
  await drain();
  expect(await numbersOf(job)).toMatchObject({ high: 0 });
  expect(new TextDecoder().decode(await exportRuleDecisions(test.ports))).toBe(text);
  const missing = 'overrides:\n  - { pack: gone, rule: a, enabled: false }\n';
  expect(await importRuleDecisions(test.ports, root, { document: missing })).toMatchObject({
    overrides: 0,
    skipped: ['The rule pack “gone” is not here: rule a'],
  });
  for (const bad of ['suppressions: 1', 'x: 1', 'a: [', '- &a 1\n- *a']) {
    await expect(importRuleDecisions(test.ports, root, { document: bad })).rejects.toMatchObject({
      code: 'bad_request',
    });
  }
});

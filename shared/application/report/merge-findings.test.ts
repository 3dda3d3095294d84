import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { enginesOf, FakeEngine, finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { array, assert, boolean, integer, property, record, uniqueArray } from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addCaseJob } from '../cases/add-to-case.ts';
import { createCase } from '../cases/create-case.ts';
import { getCaseSummary } from '../cases/get-case-overview.ts';
import { listCaseFindings } from '../cases/list-case-findings.ts';
import { listEntities } from '../intel/list-entities.ts';
import { listEntityFindings } from '../intel/list-entity-findings.ts';
import { getJob } from '../jobs/get-job.ts';
import type { DerivedOutput } from '../ports/detection-engine.ts';
import { runBackgroundTask } from '../work/run-background-task.ts';
import { exportFindings } from './export-findings.ts';
import { exportFindingsCsv } from './export-findings-csv.ts';
import { getAgreement } from './get-agreement.ts';
import { getFindingEvents } from './get-finding-events.ts';
import { getFindingsNaming } from './get-findings-naming.ts';
import { listFindings } from './list-findings.ts';
import { matchesOf } from './merge-findings.ts';
import type { NewFinding, StoredEvent } from './new-finding.ts';
import { reviewFindings } from './review-findings.ts';
import { addSuppression } from './suppressions.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const rule = '0f06a3a5-0000-4000-8000-000000000001';

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

function event(recordId: string | null, over: Partial<StoredEvent> = {}): StoredEvent {
  const head = { computer: 'WS1', channel: 'Security', eventId: '4688' };
  return { recordId, timestamp: `2026-08-01T10:0${recordId ?? 9}:00Z`, ...head, fields: { Image: 'a.exe' }, ...over };
}

/** Matches of the rule on these records, all of which are kept. */
function matches(records: readonly (string | null)[], over: Partial<NewFinding> = {}): NewFinding {
  const events = records.map((one) => event(one));
  const times = events.map(({ timestamp }) => timestamp!).sort();
  const seen = { firstSeen: times[0] ?? null, lastSeen: times.at(-1) ?? null, hosts: ['WS1'] };
  return finding({ ruleId: rule, ruleName: 'One', count: events.length, events, ...seen, ...over });
}

/** A job that several engines have read, and what each found of it. */
async function jobOf(
  found: Readonly<Record<string, readonly NewFinding[]>>,
  naming: Readonly<Record<string, DerivedOutput['intel']>> = {},
  ports = test.ports,
): Promise<number> {
  const engines = Object.entries(found).map(([name, findings]) => {
    const engine = Object.assign(new FakeEngine(name), { isBuiltIn: name === 'sigma-native' });
    const intel = naming[name];
    engine.behave = async () => output({ findings, derived: intel === undefined ? null : derived({ intel }) });
    return engine;
  });
  const catalog = enginesOf((name) => engines.find((engine) => engine.name === name) ?? null);
  return analyzeLog({ ...ports, engines: catalog }, visitor);
}

const rowsOf = async (id: number) => {
  const list = await listFindings(test.ports, visitor, { id, page: 1 });
  expect(operations.listFindings.output.parse(list)).toEqual(list);
  expect(list.total).toBe(list.findings.length);
  return list.findings;
};
const jobWith = async (id: number) => getJob(test.ports, visitor, { id, dup: '0' });

it('counts never fewer than the engine that matched most, and never more than all together', () => {
  const one = record({
    engine: integer({ min: 1, max: 3 }).map(String),
    records: uniqueArray(integer({ min: 0, max: 9 })),
    isKnown: boolean(),
    more: integer({ min: 0, max: 3 }),
  });
  assert(
    property(array(one, { minLength: 1, maxLength: 5 }), (cells) => {
      const found = cells.map(({ engine, records, isKnown, more }) => ({
        engine,
        count: records.length + more,
        events: records.map((at) => event(String(at), isKnown ? {} : { channel: null })),
      }));
      const sumOf = (some: typeof found) => some.reduce((sum, { count }) => sum + count, 0);
      const count = matchesOf(found);
      const largest = Math.max(...found.map(({ engine }) => sumOf(found.filter((other) => other.engine === engine))));
      expect(count).toBeGreaterThanOrEqual(largest);
      expect(count).toBeLessThanOrEqual(sumOf(found));
      const isExact = cells.every(({ isKnown, more, records }) => more === 0 && (isKnown || records.length === 0));
      if (!isExact) expect(count).toBe(largest);
      else expect(count).toBeGreaterThanOrEqual(new Set(cells.flatMap(({ records }) => records)).size);
    }),
  );
});

it('is one finding that names its engines, counts each record once, and is what all figures go by', async () => {
  const id = await jobOf({
    'sigma-native': [matches(['1', '2'], { severity: 'medium' }), finding({ ruleId: 'b', ruleName: 'B' })],
    'evtx-hunt': [
      matches(['2', '3'], { ruleId: rule.toUpperCase(), ruleName: 'Renamed', severity: 'critical', tags: [] }),
    ],
  });
  const rows = await rowsOf(id);
  const both = ['evtx-hunt', 'sigma-native'];
  expect(rows.map((row) => [row.rule_name, row.tool, row.found_by, row.severity, row.count])).toEqual([
    ['B', 'sigma-native', undefined, 'high', 1],
    ['One', 'sigma-native', both, 'medium', 3],
  ]);
  expect(rows[1]).toMatchObject({ first_seen: '2026-08-01T10:01:00Z', last_seen: '2026-08-01T10:03:00Z' });
  expect(await jobWith(id)).toMatchObject({
    total_findings: 4,
    distinct_rules: 2,
    severity_summary: { critical: 0, high: 1, medium: 3 },
    score_ratio: '2/2',
    first_event_at: '2026-08-01T10:01:00Z',
  });
  const { events } = await getFindingEvents(test.ports, visitor, { id: rows[1]!.id });
  expect(events.map((one) => [one.record_id, one.found_by])).toEqual([
    ['1', ['sigma-native']],
    ['2', both],
    ['3', ['evtx-hunt']],
  ]);
  const [, exported] = await exportFindings(test.ports, visitor, { id });
  expect(exported).toMatchObject({ found_by: both, count: 3, details: [{}, {}, {}] });
  const csv = new TextDecoder()
    .decode(await exportFindingsCsv(test.ports, visitor, { id }))
    .trim()
    .split('\r\n');
  expect([csv.length, csv[2]]).toEqual([3, expect.stringMatching(/^medium,One,.*,3,.*evtx-hunt sigma-native,0$/)]);
  const named = await getFindingsNaming(test.ports, visitor, { id, value: 'a.exe' });
  expect(named.findings).toEqual([{ id: rows[1]!.id, events: 3, kept: 3 }]);
  const { engines, rules } = await getAgreement(test.ports, visitor, { id });
  expect(engines.map((engine) => engine.matches)).toEqual([3, 2]);
  expect(rules.find(({ rule_id: of }) => of === rule)).toMatchObject({
    severity: 'medium',
    found: [
      { findings: [rows[1]!.id], count: 2, severity: null },
      { findings: [rows[1]!.id], count: 2, severity: 'critical' },
    ],
    records: { known: 3, in_common: 1, complete: true },
  });
});

it.each<[string, NewFinding, NewFinding, number]>([
  ['not all were kept', matches(['1', '2'], { count: 40 }), matches(['3', '4', '5']), 40],
  ['one does not tell of records', matches(['1', '2']), matches([null, null, null]), 3],
])('counts as many as one engine has most where %s', async (_, native, other, count) => {
  const id = await jobOf({ 'sigma-native': [native], 'evtx-hunt': [other] });
  expect((await rowsOf(id)).map((row) => row.count)).toEqual([count]);
  expect(await jobWith(id)).toMatchObject({ total_findings: count, distinct_rules: 1 });
});

it('goes by the worst where the built-in engine has not found it, and by the rule that a copy names', async () => {
  const copy = (nth: number): NewFinding =>
    matches([String(nth)], {
      ruleId: `aaaaaaaa-0000-4000-8000-00000000000${nth}`,
      ruleName: `One (copy ${nth})`,
      severity: 'low',
      ruleSource: `title: One (copy ${nth})\nid: aaaaaaaa-0000-4000-8000-00000000000${nth}\nrelated:\n  - id: ${rule}\n    type: derived\nlogsource:\n  product: windows\ndetection:\n  sel: {Image: a}\n  condition: sel\n`,
    });
  const id = await jobOf({
    'evtx-timeline': [copy(1), copy(2)],
    'evtx-hunt': [matches(['2', '3'], { severity: 'critical' })],
  });
  expect((await rowsOf(id)).map((row) => [row.rule_name, row.severity, row.count])).toEqual([['One', 'critical', 3]]);
});

it('leaves two rules of one title apart that one engine found', async () => {
  const id = await jobOf({
    'sigma-native': [matches(['1']), matches(['1'], { ruleId: 'another' })],
    'evtx-hunt': [finding({ ruleId: 'c', ruleName: 'C' })],
  });
  expect((await rowsOf(id)).map((row) => row.found_by)).toEqual([undefined, undefined, undefined]);
  expect(await jobWith(id)).toMatchObject({ total_findings: 3, distinct_rules: 3 });
});

it('is suppressed by the records of all engines', async () => {
  const root = await addAdmin(test.ports);
  const id = await jobOf({ 'sigma-native': [matches(['1', '2'])], 'evtx-hunt': [matches(['2', '3'])] });
  const conditions = [{ field: 'Image', test: 'equals', value: 'a.exe' } as const];
  const asked = { rule_id: rule, rule_name: 'One', reason: 'ours', case_id: null, expires_at: null, conditions };
  await addSuppression(test.ports, root, asked);
  const [task] = await test.ports.backgroundTasks.inFlight();
  const lease = { kind: 'apply_suppression', taskId: task!.id, targetId: task!.targetId! } as const;
  await runBackgroundTask(test.ports, lease, new AbortController().signal);
  expect((await rowsOf(id)).map((row) => [row.count, row.suppressed])).toEqual([[3, 3]]);
  expect(await jobWith(id)).toMatchObject({ total_findings: 0, distinct_rules: 0, score_ratio: '0/2' });
});

it('is what the entities lead to that any engine found with it', async () => {
  const naming = (...values: string[]): DerivedOutput['intel'] => ({
    entities: values.map((value) => ({ type: 'executable', value, count: 1 })),
    findings: [{ rule: 0, entities: values.map((_, place) => place) }],
    relationships: [],
    isTruncated: false,
  });
  const id = await jobOf(
    { 'sigma-native': [matches(['1', '2'])], 'evtx-hunt': [matches(['2', '3'])] },
    { 'sigma-native': naming('a.exe', 'both.exe'), 'evtx-hunt': naming('both.exe', 'c.exe') },
  );
  const [row] = await rowsOf(id);
  const { items } = await listEntities(test.ports, visitor, operations.listEntities.query.parse({ q: 'has:finding' }));
  expect(items.map(({ value }) => value).sort()).toEqual(['a.exe', 'both.exe', 'c.exe']);
  for (const entity of items) {
    const asked = { id: entity.id, ...operations.listEntityFindings.query.parse({}) };
    const { total, findings } = await listEntityFindings(test.ports, visitor, asked);
    expect([total, findings]).toMatchObject([1, [{ id: row!.id, count: 3, tool: 'sigma-native' }]]);
  }
});

it('is decided about once, and counts once in a case', async () => {
  const root = await addAdmin(test.ports);
  const id = await jobOf({ 'sigma-native': [matches(['1', '2'])], 'evtx-hunt': [matches(['2', '3'])] });
  const [row] = await rowsOf(id);
  const decision = { state: 'benign', note: '', assignee: null, remember: false } as const;
  await reviewFindings(test.ports, root, { id, finding_ids: [row!.id], ...decision });
  expect(await getJob(test.ports, root, { id, dup: '0' })).toMatchObject({ reviewed_rules: 1, distinct_rules: 1 });
  const wanted = { name: 'Two opinions', is_shared: false, idempotency_key: null };
  const { case_id: caseId } = await createCase(test.ports, root, wanted);
  await addCaseJob(test.ports, root, { id: caseId, job_id: id, include_entities: false, note: '' });
  expect(await getCaseSummary(test.ports, root, { id: caseId })).toMatchObject({
    findings: 1,
    events: 3,
    top_rules: [{ rule_name: 'One', events: 3 }],
  });
  const list = { id: caseId, ...operations.listCaseFindings.query.parse({}) };
  const { findings } = await listCaseFindings(test.ports, root, list);
  expect(findings.map((one) => [one.id, one.count, one.state])).toEqual([[row!.id, 3, 'benign']]);
});

it('counts as many as one engine has most where samples cannot be read', async () => {
  const lost = { eventsOf: () => Promise.reject(new Error('the object store is away')) };
  const findings = overriding(test.ports.findings, lost);
  const found = { 'sigma-native': [matches(['1', '2'])], 'evtx-hunt': [matches(['2', '3', '4'])] };
  const id = await jobOf(found, {}, { ...test.ports, findings });
  expect((await rowsOf(id)).map((row) => [row.count, row.found_by?.length])).toEqual([[3, 2]]);
});

it('leaves nothing of its own in a job that one engine has read', async () => {
  const id = await jobOf({ 'sigma-native': [matches(['1', '2'])] });
  const [row] = await rowsOf(id);
  expect(row).not.toHaveProperty('found_by');
  const { events } = await getFindingEvents(test.ports, visitor, { id: row!.id });
  for (const one of events) expect(one).not.toHaveProperty('found_by');
});

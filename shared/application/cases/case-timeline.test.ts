import { linkEntities } from '@svc/adapters/testing/link-entities.ts';
import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations, type EventsTimeline } from '@svc/contracts';
import type { Actor, Severity } from '@svc/domain';
import type { AlertMarker } from '@svc/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import type { NewFinding } from '../report/new-finding.ts';
import { getAnalytics } from '../report/get-analytics.ts';
import { getEventsTimeline } from '../report/get-events-timeline.ts';
import { listFindings } from '../report/list-findings.ts';
import { reviewFindings } from '../report/review-findings.ts';
import { getCaseActors } from './get-case-actors.ts';
import { getCaseEvents } from './get-case-events.ts';
import { getCaseTimeline } from './get-case-timeline.ts';
import { getClockHints } from './get-clock-hints.ts';
import { listCaseFindings } from './list-case-findings.ts';
import { setCaseClock } from './set-case-clock.ts';

const start = Date.UTC(2026, 7, 1, 10) / 1000;
const offset = 5400;
const levels = ['critical', 'high', 'low'] as const satisfies readonly Severity[];

let test: TestPorts;
let ports: Ports;
let owner: Actor;
let member: Actor;
let admin: Actor;
let id: number;
/** Seen by all; the second one's clock is ahead, the third has no timeline, and the last is the owner's alone. */
let [first, ahead, plain, secret] = [0, 0, 0, 0];
let alice = 0;

beforeAll(async () => {
  test = await openTestPorts();
  await test.reset();
  ports = test.ports;
  [owner, member, admin] = [await account('owner'), await account('member'), await account('admin')];
  first = await analyzed({ hosts: ['ws1', 'dc1'], count: 400, seed: 1 });
  ahead = await analyzed({ hosts: ['WS1', 'srv'], count: 300, seed: 2, shift: offset });
  test.engine.behave = async () => output({ findings: [finding({ ruleName: 'Not on a line' })] });
  plain = await analyzeLog(ports, owner);
  secret = await analyzed({ hosts: ['secret-host'], count: 50, seed: 3, private: true, user: 'Secret-User' });
  id = await caseOf([first, ahead, plain, secret]);
  await setCaseClock(ports, owner, { id, job: ahead, clock_offset: offset });
  alice = (await ports.entities.find({ type: 'user', value: 'alice' }))!;
  await linkEntities(ports, id, [alice], { by: null, at: ports.clock.now() });
}, 120_000);
afterAll(() => test.close());

async function account(name: string): Promise<Actor> {
  const role = name === 'admin' ? 'admin' : 'member';
  const email = `${name}@example.org`;
  const { id: userId } = await ports.accounts.create({ email, passwordHash: 'x', role, displayName: null });
  return { kind: 'account', userId, email, role, ip: '192.0.2.1' };
}

/** A case of the owner's that all members see. */
async function caseOf(jobIds: readonly number[]): Promise<number> {
  const at = ports.clock.now();
  return ports.transaction(async (tx) => {
    const made = await tx.cases.create({ name: 'Phish wave', ownerId: idOf(owner), isShared: true, at });
    for (const jobId of jobIds) await tx.cases.link(made.id, { jobId, by: null, at });
    return made.id;
  });
}

function idOf(actor: Actor): string {
  return actor.kind === 'account' ? actor.userId : '';
}

interface Log {
  readonly hosts: readonly string[];
  readonly count: number;
  readonly seed: number;
  readonly shift?: number;
  readonly private?: boolean;
  readonly user?: string;
}

/** A job of three rules whose alerts lie by chance within two days. */
async function analyzed(log: Log): Promise<number> {
  const markers = markersOf(log);
  const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString();
  const findings = levels.map((severity, rule): NewFinding => {
    const own = markers.filter((marker) => marker.rule === rule);
    const times = own.map(({ time }) => time);
    return finding({
      ruleId: `rule-${rule}`,
      ruleName: `Rule ${rule}`,
      severity,
      count: own.reduce((sum, { count }) => sum + count, 0),
      tags: [['attack.execution', 'attack.stealth', 'attack.impact'][rule]!],
      firstSeen: timeOf(times[0]!),
      lastSeen: timeOf(times.at(-1)!),
      hosts: [...new Set(own.map(({ computer }) => computer!))],
      events: times.slice(0, 10).map((time, at) => ({
        recordId: `${rule}${at}`,
        timestamp: timeOf(time),
        computer: own[at]!.computer,
        channel: 'Security',
        eventId: '4688',
        fields: {},
      })),
    });
  });
  const hours = new Map<string, Map<string, number>>();
  const tactics = ['execution', 'defense_evasion', 'impact'] as const;
  for (const { time, rule, count } of markers) {
    const hour = timeOf(time).slice(0, 13);
    const groups = hours.get(hour) ?? new Map<string, number>();
    groups.set(tactics[rule]!, (groups.get(tactics[rule]!) ?? 0) + count);
    hours.set(hour, groups);
  }
  const processes = derived().processes;
  test.engine.behave = async () =>
    output({
      findings,
      derived: derived({
        hours: [...hours].map(([hour, groups]) => ({ hour, groups })),
        alerts: { resolution: 1, markers, total: markers.reduce((sum, { count }) => sum + count, 0), undated: 2 },
        tactics,
        processes: { ...processes, roots: processesAt(log) },
        intel: {
          entities: [{ type: 'user', value: log.user ?? 'alice', count: 2 }],
          findings: [{ rule: 0, entities: [0] }],
          relationships: [],
          isTruncated: false,
        },
      }),
    });
  return analyzeLog(ports, owner, { is_private: log.private ?? false, content: `ElfFile\0${log.seed}` });
}

function markersOf({ hosts, count, seed, shift = 0 }: Log): AlertMarker[] {
  let state = seed;
  const next = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  const markers = new Map<string, AlertMarker>();
  for (let at = 0; at < count; at++) {
    const marker = { time: start + shift + next(172_800), rule: next(3), computer: hosts[next(hosts.length)]! };
    markers.set(JSON.stringify(marker), { ...marker, count: 1 + next(9) });
  }
  return [...markers.values()].sort((a, b) => a.time - b.time || a.rule - b.rule);
}

/** Five processes that run on ws1, as a log of its clock has them. */
function processesAt({ shift = 0 }: Log) {
  const [{ children } = { children: [] }] = derived().processes.roots;
  return Array.from({ length: 5 }, (_, at) => ({
    ...children[0]!,
    pid: String(1000 + at),
    guid: '',
    computer: 'ws1',
    time: new Date((start + shift + 60 * at) * 1000).toISOString().replace('T', ' ').replace('Z', ''),
  }));
}

type Told = readonly [start: number, job: number, finding: number, computer: string | null, events: number];

function told({ items }: EventsTimeline): Told[] {
  return items.map(({ start: at, meta }) => [at, meta.job_id, meta.finding_id, meta.computer, meta.events] as const);
}

/** What the timelines of the jobs say when each is asked by itself, to the second, and joined by hand. */
async function joined(
  jobs: readonly (readonly [job: number, offset: number])[],
  asked: { frm?: number; to?: number; severity?: Severity[] },
  step: number,
): Promise<Told[]> {
  const sums = new Map<string, Told>();
  for (const [job, shift] of jobs) {
    const window = {
      ...(asked.frm !== undefined && { frm: asked.frm + shift * 1000 }),
      ...(asked.to !== undefined && { to: asked.to + shift * 1000 }),
      ...(asked.severity && { severity: asked.severity }),
    };
    const alone = await getEventsTimeline(ports, owner, { id: job, ...window });
    expect(alone.resolution).toBe(1);
    for (const [at, own, found, computer, events] of told(alone)) {
      const begin = Math.floor((at / 1000 - shift) / step) * step * 1000;
      const key = JSON.stringify([begin, own, found, computer]);
      sums.set(key, [begin, own, found, computer, (sums.get(key)?.[4] ?? 0) + events]);
    }
  }
  return [...sums.values()];
}

const sorted = (rows: readonly Told[]) => rows.map((row) => JSON.stringify(row)).sort();

describe('the line of time of a case', () => {
  it.each<[string, { frm?: number; to?: number; severity?: Severity[]; resolution?: number }]>([
    ['whole', {}],
    ['of a morning', { frm: (start + 3600) * 1000, to: (start + 20_000) * 1000 }],
    ['of some severities', { severity: ['critical', 'low'] }],
    ['by hours', { resolution: 3600 }],
    ['by days, within a window', { resolution: 86_400, frm: (start + 40_000) * 1000, to: (start + 90_000) * 1000 }],
  ])('says what the timelines of its jobs say together, %s', async (_, asked) => {
    const merged = await getCaseEvents(ports, member, { id, ...asked });
    expect(operations.getCaseEvents.output.parse(merged)).toEqual(merged);
    const jobs = [
      [first, 0],
      [ahead, offset],
    ] as const;
    const { resolution = 1, ...window } = asked;
    const reference = await joined(jobs, window, resolution);
    expect(merged.resolution).toBe(resolution);
    expect(sorted(told(merged))).toEqual(sorted(reference));
    expect(merged.total).toBe(reference.reduce((sum, [, , , , events]) => sum + events, 0));
    expect(merged.discarded).toBe(merged.total - merged.items.length);
    expect(merged.items.map((item) => item.start)).toEqual(
      merged.items.map((item) => item.start).sort((a, b) => a - b),
    );
    expect(merged).toMatchObject({ undated: 4, jobs_without_index: 1, index_missing: false, truncated: false });
    expect(merged.groupings).toEqual(['execution', 'defense_evasion', 'impact']);
  });

  it('keeps lanes and extent when it is narrowed to a job', async () => {
    const whole = await getCaseEvents(ports, member, { id });
    const narrowed = await getCaseEvents(ports, member, { id, job_id: ahead });
    expect(narrowed).toMatchObject({ extent: whole.extent, groupings: whole.groupings, jobs_without_index: 0 });
    expect(told(narrowed)).toEqual(told(whole).filter(([, job]) => job === ahead));
    expect(await getCaseEvents(ports, member, { id, job_id: plain })).toMatchObject({ index_missing: true, items: [] });
  });

  it('follows alerts that were derived again', async () => {
    const job = await analyzed({ hosts: ['ws9'], count: 5, seed: 9 });
    const other = await caseOf([job]);
    expect((await getCaseEvents(ports, owner, { id: other })).items).toHaveLength(5);
    const [task] = await ports.jobViews.tasks(job);
    const found = await ports.findings.ofTask(task!.id);
    const markers = [{ time: start, rule: 0, computer: 'ws1', count: 7 }];
    const once = derived({ alerts: { resolution: 1, markers, total: 7, undated: 0 } });
    await ports.derivations.replace({ id: task!.id, jobId: job }, { derived: once, engine: 'e', findings: found });
    expect(await getCaseEvents(ports, owner, { id: other })).toMatchObject({ total: 7, items: [{ label: 'Rule 0' }] });
  });
});

describe('the hours of a case', () => {
  it('are those of its jobs together, and say of how many', async () => {
    const merged = await getCaseTimeline(ports, member, { id, job_id: first });
    const alone = await getAnalytics(ports, member, { id: first });
    expect(operations.getCaseTimeline.output.parse(merged)).toEqual(merged);
    expect(merged).toMatchObject({ covered: 1, total: 1, timeline: alone.analytics!.timeline });
    const whole = await getCaseTimeline(ports, member, { id });
    expect(whole).toMatchObject({ covered: 2, total: 3 });
    expect(whole.jobs.map(({ id: job, covered }) => [job, covered])).toEqual([
      [first, true],
      [ahead, true],
      [plain, false],
    ]);
    const hours = new Map<string, number>();
    for (const [at, , , , events] of told(await getCaseEvents(ports, member, { id }))) {
      const hour = new Date(at).toISOString().slice(0, 13);
      hours.set(hour, (hours.get(hour) ?? 0) + events);
    }
    expect(new Map(whole.timeline!.map(({ hour, count }) => [hour, count]))).toEqual(hours);
  });

  it('move by whole hours as they are stored, and by seconds as alerts tell', async () => {
    await setCaseClock(ports, owner, { id, job: first, clock_offset: -7200 });
    const moved = (await getCaseTimeline(ports, member, { id, job_id: first })).timeline!;
    await setCaseClock(ports, owner, { id, job: first, clock_offset: 0 });
    const still = (await getCaseTimeline(ports, member, { id, job_id: first })).timeline!;
    const later = (hour: string) => new Date(Date.parse(`${hour}:00:00Z`) + 7_200_000).toISOString().slice(0, 13);
    expect(moved.map(({ hour, count }) => [hour, count])).toEqual(still.map(({ hour, count }) => [later(hour), count]));
  });

  it('narrow to severities and to what names an entity', async () => {
    const [critical, named] = [
      await getCaseTimeline(ports, member, { id, severity: ['critical'] }),
      await getCaseTimeline(ports, member, { id, entity_id: alice }),
    ];
    const matches = told(await getCaseEvents(ports, member, { id, severity: ['critical'] }));
    const sum = matches.reduce((all, [, , , , events]) => all + events, 0);
    // Of each job the first rule alone names the account, and it alone is critical.
    for (const { timeline, key_events: events } of [critical, named]) {
      expect(timeline!.reduce((all, { count }) => all + count, 0)).toBe(sum);
      expect(new Set(events.map(({ rule_name: rule }) => rule))).toContain('Rule 0');
    }
    expect(new Set(named.key_events.map(({ severity }) => severity))).toEqual(new Set(['critical']));
  });

  it('come with the earliest sample events by the clock of the case', async () => {
    const { key_events: events, key_events_total: total } = await getCaseTimeline(ports, member, { id });
    expect(total).toBe(61);
    expect(events).toHaveLength(61);
    const times = events.map(({ time }) => time!);
    expect(times).toEqual([...times].sort());
    const moved = events.filter(({ job_id: job }) => job === ahead);
    for (const { time, logged } of moved) expect(Date.parse(logged!) - Date.parse(time!)).toBe(offset * 1000);
  });

  it('are refused where the site shows no timelines, and go where it shows no hours', async () => {
    test.settings.showAlertTimeline = false;
    await expect(getCaseTimeline(ports, member, { id })).rejects.toMatchObject({ code: 'feature_off' });
    await expect(getCaseEvents(ports, member, { id })).rejects.toMatchObject({ code: 'feature_off' });
    test.settings.showAlertTimeline = true;
    test.settings.showEventTimeline = false;
    expect(await getCaseTimeline(ports, member, { id })).not.toHaveProperty('timeline');
    test.settings.showEventTimeline = true;
  });
});

describe('findings of a case', () => {
  const listed = (asked: Partial<Parameters<typeof listCaseFindings>[2]> = {}) =>
    listCaseFindings(ports, member, { id, q: '', host: '', ...asked });

  it('are those of its jobs, worst first, with exact totals', async () => {
    const all = await listed();
    expect(operations.listCaseFindings.output.parse(all)).toEqual(all);
    const alone = [first, ahead, plain].map((job) => listFindings(ports, member, { id: job, page: 1 }));
    const ids = (await Promise.all(alone)).flatMap(({ findings }) => findings.map((one) => one.id));
    expect(new Set(all.findings.map((one) => one.id))).toEqual(new Set(ids));
    expect(all).toMatchObject({ total: 7, severities: { critical: 2, high: 3, low: 2, medium: 0 }, next: null });
    expect(all.findings[0]).toMatchObject({ severity: 'critical', state: 'new' });
    const [low] = all.findings.filter(({ job_id: job }) => job === ahead).slice(-1);
    const stored = (await listFindings(ports, member, { id: ahead, page: 1 })).findings.find(
      ({ id: one }) => one === low!.id,
    );
    expect(Date.parse(stored!.first_seen!) - Date.parse(low!.first_seen!)).toBe(offset * 1000);
  });

  it('narrow by what is asked for', async () => {
    const count = async (asked: Parameters<typeof listed>[0]) => (await listed(asked)).total;
    expect(await count({ severity: ['critical', 'low'] })).toBe(4);
    expect(await count({ q: 'rule 1' })).toBe(2);
    expect(await count({ q: 'RULE-2' })).toBe(0);
    expect(await count({ q: 'rule-2' })).toBe(2);
    expect(await count({ q: '%' })).toBe(0);
    expect(await count({ host: 'ws1' })).toBe(6);
    expect(await count({ host: 'dc1' })).toBe(3);
    expect(await count({ host: 'secret-host' })).toBe(0);
    expect(await count({ tactic: 'defense_evasion' })).toBe(2);
    expect(await count({ job_id: plain })).toBe(1);
    const [one] = (await listed({ job_id: plain })).findings;
    await reviewFindings(ports, member, { id: plain, finding_ids: [one!.id], state: 'benign', remember: false });
    expect(await count({ state: 'benign' })).toBe(1);
    expect(await count({ state: 'new' })).toBe(6);
  });

  it('go on after a place', async () => {
    const { findings } = await listed();
    const third = findings[2]!;
    const cursor = `${['critical', 'high'].indexOf(third.severity)}-${third.count}-${third.id}`;
    expect((await listed({ cursor })).findings).toEqual(findings.slice(3));
  });
});

it('sums up hosts, in whatever case they are written, and accounts', async () => {
  const found = await getCaseActors(ports, member, { id });
  expect(operations.getCaseActors.output.parse(found)).toEqual(found);
  expect(found.hosts.map(({ name }) => name.toLowerCase()).sort()).toEqual(['dc1', 'srv', 'ws1', 'ws1.example.org']);
  const ws1 = found.hosts.find(({ name }) => name.toLowerCase() === 'ws1')!;
  expect(ws1).toMatchObject({ findings: { critical: 2, high: 2, low: 2 }, job_ids: [first, ahead] });
  const times = told(await getCaseEvents(ports, member, { id }))
    .filter(([, , , computer]) => computer?.toLowerCase() === 'ws1')
    .map(([at]) => new Date(at).toISOString());
  expect([ws1.first, ws1.last]).toEqual([times[0], times.at(-1)]);
  expect(ws1.rules[0]).toEqual({ name: 'Rule 0', severity: 'critical', findings: 2 });
  expect(found.users).toMatchObject([
    { name: 'alice', entity_id: alice, findings: { critical: 2, high: 0 }, job_ids: [first, ahead] },
  ]);
});

describe('clocks', () => {
  it('are said to differ where one host’s logs tell the same processes at other times, until they are set', async () => {
    await setCaseClock(ports, owner, { id, job: ahead, clock_offset: 0 });
    const { hints } = await getClockHints(ports, member, { id });
    expect(hints).toMatchObject([
      { job_id: ahead, other_id: first, seconds: offset, host: 'ws1', compared: 5, agreeing: 5 },
    ]);
    const [{ time, other_time: other } = { time: '', other_time: '' }] = hints;
    expect(Date.parse(time) - Date.parse(other)).toBe(offset * 1000);
    await setCaseClock(ports, owner, { id, job: ahead, clock_offset: offset });
    expect(await getClockHints(ports, member, { id })).toEqual({ hints: [] });
  });

  it('are set by whoever may edit the case', async () => {
    const asked = { id, job: first, clock_offset: 60 };
    await expect(setCaseClock(ports, member, asked)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(setCaseClock(ports, owner, { ...asked, job: 999_999 })).rejects.toMatchObject({ code: 'not_found' });
    const before = (await ports.cases.get(id))!.updatedAt;
    test.advance(60);
    await setCaseClock(ports, admin, { ...asked, clock_offset: 0 });
    expect((await ports.cases.get(id))!.updatedAt.getTime()).toBeGreaterThan(before.getTime());
  });
});

it('tells nothing of a private job to who does not see it, and all to who does', async () => {
  const answers = async (actor: Actor) =>
    JSON.stringify([
      await getCaseEvents(ports, actor, { id }),
      await getCaseTimeline(ports, actor, { id }),
      await listCaseFindings(ports, actor, { id, q: '', host: '' }),
      await getCaseActors(ports, actor, { id }),
      await getClockHints(ports, actor, { id }),
    ]);
  const [mine, others] = [await answers(owner), await answers(member)];
  for (const name of ['secret-host', 'Secret-User', `"job_id":${secret}`]) {
    expect(mine).toContain(name);
    expect(others).not.toContain(name);
  }
  const gone = { code: 'not_found' };
  await expect(getCaseEvents(ports, member, { id, job_id: secret })).rejects.toMatchObject(gone);
  await expect(getCaseTimeline(ports, member, { id, job_id: secret })).rejects.toMatchObject(gone);
  await expect(listCaseFindings(ports, member, { id, q: '', host: '', job_id: secret })).rejects.toMatchObject(gone);
  await expect(setCaseClock(ports, member, { id, job: secret, clock_offset: 1 })).rejects.toMatchObject(gone);
  const hidden = (await ports.entities.find({ type: 'user', value: 'secret-user' }))!;
  await expect(getCaseTimeline(ports, owner, { id, entity_id: hidden })).rejects.toMatchObject(gone);
});

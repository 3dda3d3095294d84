import {
  addCaseEntities,
  addCaseEntity,
  addCaseJob,
  addCaseJobEntities,
  addCaseJobs,
} from '@svc/application/cases/add-to-case.ts';
import {
  addCaseCollaborator,
  changeCaseStatus,
  deleteCase,
  editCase,
  removeCaseCollaborator,
  writeCaseNarrative,
} from '@svc/application/cases/change-case.ts';
import {
  noteCaseEntity,
  noteCaseJob,
  removeCaseEntity,
  removeCaseJob,
} from '@svc/application/cases/change-case-links.ts';
import { pickCaseMembers } from '@svc/application/cases/case-members.ts';
import type { CaseSort } from '@svc/application/cases/case-lists.ts';
import { findCases } from '@svc/application/cases/find-cases.ts';
import { getCase } from '@svc/application/cases/get-case.ts';
import { getCasePivots, getCaseSummary } from '@svc/application/cases/get-case-overview.ts';
import {
  findCaseEntities,
  getCaseDetail,
  listCaseEntities,
  listCaseJobs,
  pickCaseEntities,
  pickCaseJobs,
} from '@svc/application/cases/list-case-links.ts';
import { listCaseNarratives } from '@svc/application/cases/list-case-narratives.ts';
import { openCase, quickCreateCase } from '@svc/application/cases/open-case.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import { allowlistEntities } from '@svc/application/intel/allowlist-entities.ts';
import { removeJob } from '@svc/application/jobs/remove-job.ts';
import type { ListCursor } from '@svc/application/jobs/job-lists.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { caseLimits, severities, type Actor, type Role } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { entityFixture, named } from './entity-fixture.ts';
import { at } from './job-fixture.ts';

/** What is said of a case and what is in it; `make` gives empty repositories with workflows. */
export function caseRecordContract(make: () => Promise<Ports>): void {
  describe('the record of a case', () => {
    let ports: Ports;
    let ada: Actor;
    let bea: Actor;
    let eve: Actor;
    let root: Actor;
    const { naming } = entityFixture(async () => (ports = await make()));

    beforeEach(async () => {
      [ada, bea, eve, root] = [
        await member('ada'),
        await member('bea'),
        await member('eve'),
        await member('root', 'admin'),
      ];
    });

    async function member(name: string, role: Role = 'member'): Promise<Extract<Actor, { kind: 'account' }>> {
      const email = `${name}@example.org`;
      const { id } = await ports.accounts.create({ email, passwordHash: 'x', role, displayName: null });
      return { kind: 'account', userId: id, email, role, ip: '192.0.2.2' };
    }

    const idOf = (actor: Actor): string => (actor.kind === 'account' ? actor.userId : '');

    async function opened(over: { name?: string; is_shared?: boolean; by?: Actor } = {}): Promise<number> {
      const { by = ada, ...fields } = over;
      const input = { name: 'Phish wave', summary: '', severity: null, is_shared: false, ...fields };
      return (await openCase(ports, by, input)).case_id;
    }

    /** A job with a report that names some things. */
    async function job(places: readonly number[], over: object = {}): Promise<number> {
      const id = await naming(places, over, 0);
      await moveJob(ports, id, { from: 'running', to: 'completed', at });
      return id;
    }

    const entity = async (place: number): Promise<number> => {
      const [type, value] = named[place]!;
      return (await ports.entities.find({ type, value }))!;
    };

    const valuesOf = async (actor: Actor, id: number, over: object = {}): Promise<string[]> =>
      (await listCaseEntities(ports, actor, { id, page: 1, q: '', sort: 'added', ...over })).entities.map(
        ({ value }) => value,
      );

    const jobsOf = async (actor: Actor, id: number): Promise<number[]> =>
      (await listCaseJobs(ports, actor, { id, page: 1 })).jobs.map((one) => one.id);

    const notThere = { code: 'case_not_found' };
    const forbidden = { code: 'forbidden' };

    it('is changed by its owner, those named on it and administrators, and shared by the first and last alone', async () => {
      const id = await opened();
      await expect(editCase(ports, bea, { id, name: 'Other' })).rejects.toMatchObject(notThere);
      await changeCaseStatus(ports, ada, { id, is_shared: true });
      await expect(editCase(ports, bea, { id, name: 'Other' })).rejects.toMatchObject(forbidden);
      await changeCaseStatus(ports, ada, { id, is_shared: false });
      await expect(addCaseCollaborator(ports, bea, { id, account_id: idOf(bea) })).rejects.toMatchObject(notThere);
      const added = await addCaseCollaborator(ports, ada, { id, account_id: idOf(bea) });
      expect(added).toEqual({ collaborators: [{ id: idOf(bea), name: 'bea' }] });
      expect(await editCase(ports, bea, { id, summary: 'By mail', severity: 'high' })).toMatchObject({
        name: 'Phish wave',
        summary: 'By mail',
        severity: 'high',
        can_edit: true,
        can_manage: false,
        collaborators: [{ name: 'bea' }],
      });
      await expect(changeCaseStatus(ports, bea, { id, is_shared: true })).rejects.toMatchObject(forbidden);
      await expect(deleteCase(ports, bea, { id })).rejects.toMatchObject(forbidden);
      expect(await removeCaseCollaborator(ports, bea, { id, account_id: idOf(bea) })).toEqual({ collaborators: [] });
      await expect(getCase(ports, bea, { id })).rejects.toMatchObject(notThere);
      expect(await editCase(ports, root, { id, severity: null, summary: '' })).toMatchObject({
        severity: null,
        summary: null,
      });
      const user = await ports.accounts.create({
        email: 'u@example.org',
        passwordHash: 'x',
        role: 'user',
        displayName: null,
      });
      await expect(addCaseCollaborator(ports, ada, { id, account_id: user.id })).rejects.toMatchObject({
        code: 'not_found',
      });
      expect((await pickCaseMembers(ports, ada, { q: 'E' })).map(({ name }) => name)).toEqual(['bea', 'eve']);
    });

    it('says when it was closed, and what is not told of its state stays', async () => {
      const id = await opened({ is_shared: true });
      expect(await changeCaseStatus(ports, ada, { id, status: 'closed' })).toMatchObject({
        status: 'closed',
        is_shared: true,
        closed_at: expect.any(String),
      });
      const closed = (await getCase(ports, ada, { id })).closed_at;
      expect((await changeCaseStatus(ports, ada, { id, status: 'closed' })).closed_at).toBe(closed);
      expect(await changeCaseStatus(ports, ada, { id, status: 'monitoring' })).toMatchObject({ closed_at: null });
    });

    it('keeps what it said before, and of two who save at once tells the later', async () => {
      const id = await opened();
      const save = (body: string, version?: number, by = ada) =>
        writeCaseNarrative(ports, by, { id, body, if_version: version });
      await addCaseCollaborator(ports, ada, { id, account_id: idOf(bea) });
      const both = await Promise.allSettled([save('of Ada', 0), save('of Bea', 0, bea)]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(both.find((one) => one.status === 'rejected')).toMatchObject({ reason: { code: 'note_conflict' } });
      expect((await save('first', 1)).narrative_version).toBe(2);
      expect((await save('first')).narrative_version).toBe(2);
      for (let version = 2; version < 30; version += 1) await save(`at ${version}`, version);
      const { narratives } = await listCaseNarratives(ports, ada, { id });
      expect(narratives).toHaveLength(caseLimits.narratives + 1);
      expect(narratives[0]).toMatchObject({ version: 30, body: 'at 29', saved_by: 'ada' });
      await save(narratives[5]!.body, 30);
      expect(await getCase(ports, ada, { id })).toMatchObject({ narrative: 'at 24', narrative_version: 31 });
      expect(await save('', 31)).toEqual({ narrative: null, narrative_version: 32 });
    });

    it('has links that anybody adds who sees it, with a note of theirs', async () => {
      const id = await opened({ is_shared: true });
      const [one, other] = [await job([0, 2, 6]), await job([3])];
      const [user, host] = [await entity(0), await entity(2)];
      expect(await addCaseEntity(ports, bea, { id, entity_id: user, note: 'first' })).toEqual({ added: 1 });
      expect(await addCaseEntity(ports, eve, { id, entity_id: user, note: '' })).toEqual({ added: 0 });
      expect(await addCaseEntities(ports, eve, { id, entity_ids: [user, host, host], note: 'again' })).toEqual({
        added: 1,
      });
      const { entities } = await listCaseEntities(ports, eve, { id, page: 1, q: '', sort: 'added' });
      expect(entities).toMatchObject([
        { value: 'WS01', note: 'again', added_by: 'eve', can_note: true },
        { value: 'CORP\\Admin_1', note: 'again', added_by: 'bea', can_note: false },
      ]);
      await expect(noteCaseEntity(ports, eve, { id, entity_id: user, note: 'x' })).rejects.toMatchObject(forbidden);
      expect(await noteCaseEntity(ports, bea, { id, entity_id: user, note: '' })).toEqual({ note: null });
      expect(await noteCaseEntity(ports, ada, { id, entity_id: host, note: 'host' })).toEqual({ note: 'host' });
      await expect(removeCaseEntity(ports, bea, { id, entity_id: user })).rejects.toMatchObject(forbidden);
      await removeCaseEntity(ports, ada, { id, entity_id: user });
      await removeCaseEntity(ports, ada, { id, entity_id: user });
      await expect(noteCaseEntity(ports, ada, { id, entity_id: user, note: 'x' })).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(
        addCaseEntities(ports, ada, { id, entity_ids: [user, 2_000_000_000], note: '' }),
      ).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(
        addCaseJobs(ports, ada, { id, job_ids: [one, 2_000_000_000], include_entities: true, note: '' }),
      ).rejects.toMatchObject({
        code: 'not_found',
      });
      expect([await valuesOf(ada, id), await jobsOf(ada, id)]).toEqual([['WS01'], []]);
      const added = await addCaseJobs(ports, ada, { id, job_ids: [one, other], include_entities: true, note: 'all' });
      expect(added).toEqual({ added: 2, entities_added: 3, entities_remaining: 0 });
      expect((await valuesOf(ada, id)).sort()).toEqual(['10.0.0.7', 'CORP\\Admin_1', 'WS01', 'certutil.exe']);
      expect(await getCase(ports, ada, { id })).toMatchObject({ entity_count: 4, job_count: 2 });
    });

    it('takes what a job names in parts, those that most events name first', async () => {
      const id = await opened();
      const source = await job([0, 2, 6]);
      await expect(addCaseJobEntities(ports, ada, { id, job_id: source })).rejects.toMatchObject({ code: 'not_found' });
      await addCaseJob(ports, ada, { id, job_id: source, include_entities: false, note: '' });
      const missing = await ports.transaction((tx) => tx.caseLinks.missing(id, [source], 2));
      expect([missing.entityIds.length, missing.total]).toEqual([2, 3]);
      expect(await addCaseJobEntities(ports, ada, { id, job_id: source })).toEqual({ added: 3, remaining: 0 });
      expect(await addCaseJobEntities(ports, ada, { id, job_id: source })).toEqual({ added: 0, remaining: 0 });
    });

    it('tells nobody of private jobs of others', async () => {
      const id = await opened({ is_shared: true });
      const [open, hidden] = [await job([0, 2]), await job([0, 6, 8], { submittedBy: idOf(ada), isPrivate: true })];
      await addCaseJobs(ports, ada, { id, job_ids: [open, hidden], include_entities: true, note: 'why' });
      const told = async (actor: Actor) => ({
        jobs: await jobsOf(actor, id),
        counted: (await getCase(ports, actor, { id })).job_count,
        detail: (await getCaseDetail(ports, actor, { id })).jobs.map((one) => one.id),
        summary: (await getCaseSummary(ports, actor, { id })).jobs,
        named: await findCaseEntities(ports, actor, { id, q: '', types: [], job: hidden }).then((all) => all.length),
        ranked: (await listCaseEntities(ports, actor, { id, page: 1, q: 'admin_1', sort: 'jobs' })).entities.map(
          (one) => one.case_jobs,
        ),
        picked: (await pickCaseJobs(ports, actor, { q: String(hidden) })).map((one) => one.id),
        row: (await findCases(ports, actor, { q: '', status: '', sort: 'severity', page: 1 })).items.map((one) => [
          one.job_count,
          one.total_findings,
        ]),
      });
      const all = {
        jobs: [hidden, open],
        counted: 2,
        detail: [hidden, open],
        summary: 2,
        named: 3,
        ranked: [2],
        picked: [hidden],
      };
      expect(await told(ada)).toEqual({ ...all, row: [[2, 2]] });
      expect(await told(root)).toEqual({ ...all, row: [[2, 2]] });
      expect(await told(eve)).toEqual({
        jobs: [open],
        counted: 1,
        detail: [open],
        summary: 1,
        named: 0,
        ranked: [1],
        picked: [],
        row: [[1, 1]],
      });
      const asked = { id, job_id: hidden };
      const none = { code: 'not_found' };
      await expect(addCaseJob(ports, eve, { ...asked, include_entities: true, note: '' })).rejects.toMatchObject(none);
      await expect(noteCaseJob(ports, eve, { ...asked, note: 'x' })).rejects.toMatchObject(none);
      await expect(addCaseJobEntities(ports, eve, asked)).rejects.toMatchObject(none);
      const quick = { name: 'x', entity_id: null, job_id: hidden, include_job_entities: true, note: '' };
      await expect(quickCreateCase(ports, eve, quick)).rejects.toMatchObject(none);
      await addCaseCollaborator(ports, ada, { id, account_id: idOf(eve) });
      await removeCaseJob(ports, eve, asked);
      expect(await jobsOf(ada, id)).toEqual([hidden, open]);
      await removeCaseJob(ports, ada, asked);
      expect(await jobsOf(ada, id)).toEqual([open]);
    });

    it('opens with what it is about, or not at all', async () => {
      const source = await job([0, 2, 6]);
      const user = await entity(0);
      const input = { name: 'Quick', entity_id: user, job_id: source, include_job_entities: true, note: 'began here' };
      const { case_id: id } = await quickCreateCase(ports, ada, input);
      const detail = await getCaseDetail(ports, ada, { id });
      expect(detail).toMatchObject({ entity_total: 3, job_total: 1, truncated: false });
      expect(detail.entities.find((one) => one.id === user)?.note).toBe('began here');
      expect(detail.jobs[0]?.note).toBe('began here');
      await expect(quickCreateCase(ports, ada, { ...input, entity_id: 2_000_000_000 })).rejects.toMatchObject({
        code: 'not_found',
      });
      expect((await findCases(ports, ada, { q: 'quick', status: 'all', sort: 'name', page: 1 })).total).toBe(1);
    });

    it('finds its entities by value, type and job, page after page', async () => {
      const id = await opened();
      const source = await job([0, 1, 2, 3, 6, 8]);
      await addCaseJob(ports, ada, { id, job_id: source, include_entities: true, note: '' });
      const find = async (over: object) =>
        (await findCaseEntities(ports, ada, { id, q: '', types: [], ...over })).map((one) => one.value);
      expect(await find({ q: 'a' })).toEqual([]);
      expect(await find({ q: 'AD' })).toEqual(['CORP\\Admin_1']);
      expect(await find({ q: '0%' })).toEqual(['alice 100%']);
      expect((await find({ job: source })).length).toBe(6);
      expect((await find({ job: source, types: ['domain', 'computer'] })).sort()).toEqual(['WS01', 'evil.example']);
      expect(await find({ job: source + 1000 })).toEqual([]);
      const walked: string[] = [];
      for (let cursor: number | undefined; ;) {
        const part = await findCaseEntities(ports, ada, { id, q: '', types: [], limit: 4, cursor });
        if (part.length === 0) break;
        walked.push(...part.map((one) => one.value));
        cursor = part.at(-1)!.id;
      }
      expect(walked).toHaveLength(6);
      expect(new Set(walked).size).toBe(6);
      const filtered = await listCaseEntities(ports, ada, {
        id,
        page: 1,
        q: 'ws',
        entity_type: 'computer',
        sort: 'added',
      });
      expect([filtered.total, filtered.grand_total]).toEqual([1, 6]);
      await allowlistEntities(ports, ada, { entity_ids: [await entity(2)], value: true, reason: '' });
      expect((await pickCaseEntities(ports, ada, { q: '' })).map((one) => one.value)).not.toContain('WS01');
      expect((await pickCaseEntities(ports, ada, { q: 'certutil' })).map((one) => one.value)).toEqual(['certutil.exe']);
      expect(await pickCaseEntities(ports, ada, { q: 'c' })).toEqual([]);
    });

    it('tells what its jobs have found, and what is near them', async () => {
      const id = await opened();
      const [one, two, near, hidden] = [
        await job([0, 2]),
        await job([0, 6]),
        await job([3]),
        await job([8], { submittedBy: idOf(eve), isPrivate: true }),
      ];
      await addCaseJobs(ports, ada, { id, job_ids: [one, two], include_entities: false, note: '' });
      await addCaseEntity(ports, ada, { id, entity_id: await entity(2), note: '' });
      const summary = await getCaseSummary(ports, ada, { id });
      expect(summary).toMatchObject({
        jobs: 2,
        findings: 2,
        events: 2,
        suggested_severity: summary.by_severity[0]?.severity,
      });
      expect(summary.top_rules).toMatchObject([{ events: 2, jobs: 2 }]);
      const pivots = await getCasePivots(ports, ada, { id });
      expect(pivots.entities.map((each) => [each.value, each.occurrence_count, each.jobs])).toEqual([
        ['CORP\\Admin_1', 2, 2],
        ['certutil.exe', 1, 1],
      ]);
      expect(pivots.correlated.map((each) => each.id)).toEqual([near]);
      const ofAdmin = await getCasePivots(ports, root, { id });
      expect(ofAdmin.correlated.map((each) => each.id)).toEqual([hidden, near]);
      expect(await valuesOf(ada, id, { sort: 'jobs' })).toEqual(['WS01']);
    });

    it('is sorted over all cases by what the viewer sees of them', async () => {
      const jobs: number[] = [];
      for (let turn = 0; turn < 8; turn += 1) {
        const isPrivate = turn % 3 === 0;
        jobs.push(await job([turn], isPrivate ? { isPrivate, submittedBy: idOf(turn % 2 === 0 ? ada : bea) } : {}));
      }
      const names = ['Öl', 'alpha', 'Beta', 'ALPHA 2', 'zeta', 'b%c', 'gamma', 'delta', 'eta', 'beta'];
      for (const [turn, name] of names.entries()) {
        const by = [ada, bea][turn % 2]!;
        const id = await opened({ name, by, is_shared: turn % 3 !== 1 });
        const all = jobs.filter((_, nth) => (turn * 7 + nth * 5) % 4 < turn % 4);
        await ports.transaction(async (tx) => {
          await tx.cases.hold(id);
          await tx.caseLinks.add(id, { kind: 'job', ids: all, by: null, at: new Date(), note: null });
        });
        if (turn % 4 === 3) await changeCaseStatus(ports, by, { id, status: 'closed' });
      }
      const keyOf = {
        updated: (one: { updatedAt: Date }) => one.updatedAt.getTime(),
        findings: (one: { matches: number }) => one.matches,
        severity: (one: { worst: string | null; matches: number }) =>
          one.worst === null ? 0 : (severities.length - severities.indexOf(one.worst as never)) * 1e14 + one.matches,
      };
      for (const viewer of [ada, bea, eve, root]) {
        for (const statuses of [
          ['open', 'monitoring'],
          ['open', 'monitoring', 'closed'],
        ] as const) {
          for (const sort of ['updated', 'findings', 'severity', 'name'] as readonly CaseSort[]) {
            const search = { statuses, text: '' };
            const whole = await ports.caseLists.page(viewer, search, { page: 1, per: 100 }, sort);
            const expected = whole.cases.toSorted((a, b) => {
              if (sort === 'name') return compare(a.name.toLowerCase(), b.name.toLowerCase()) || b.id - a.id;
              return keyOf[sort](b) - keyOf[sort](a) || b.id - a.id;
            });
            const ids = expected.map(({ id }) => id);
            expect(whole.cases.map(({ id }) => id)).toEqual(ids);
            const counts = await ports.caseLists.counts(viewer, '');
            expect(ids).toHaveLength(statuses.reduce((sum, status) => sum + counts[status], 0));
            const walked: number[] = [];
            let back: ListCursor | null = null;
            for (let cursor: ListCursor | null = null; ;) {
              const part = await ports.caseLists.page(viewer, search, { page: 1, per: 3, cursor }, sort);
              walked.push(...part.cases.map(({ id }) => id));
              if (part.older === null) {
                back = part.newer;
                break;
              }
              cursor = part.older;
            }
            expect(walked).toEqual(ids);
            if (back !== null) {
              const part = await ports.caseLists.page(viewer, search, { page: 1, per: 3, cursor: back }, sort);
              const end = ids.length - (ids.length % 3 || 3);
              expect(part.cases.map(({ id }) => id)).toEqual(ids.slice(end - 3, end));
            }
          }
        }
      }
      const found = await findCases(ports, root, { q: ' ALPHA', status: 'all', sort: 'name', page: 9 });
      expect([found.items.map(({ name }) => name), found.page]).toEqual([['alpha', 'ALPHA 2'], 1]);
      expect((await findCases(ports, root, { q: '%', status: 'all', sort: 'name', page: 1 })).total).toBe(1);
    });

    it('stays right while others add to it, delete its jobs and delete it', async () => {
      const [id, other] = [await opened({ is_shared: true }), await opened({ is_shared: true, name: 'Other' })];
      const jobs = [await job([0, 1, 2]), await job([0, 2, 6]), await job([0, 8, 6]), await job([3, 2])];
      const outcomes = await Promise.allSettled([
        ...jobs.map((one) => addCaseJob(ports, bea, { id, job_id: one, include_entities: true, note: '' })),
        ...jobs
          .toReversed()
          .map((one) => addCaseJob(ports, eve, { id: other, job_id: one, include_entities: true, note: '' })),
        removeJob(ports, jobs[1]!, { by: null, at: new Date() }),
        removeJob(ports, jobs[3]!, { by: null, at: new Date() }),
        deleteCase(ports, ada, { id: other }),
      ]);
      const refused = outcomes.flatMap((one) =>
        one.status === 'rejected' ? [(one.reason as { code?: string }).code] : [],
      );
      expect(refused.filter((code) => code !== 'not_found' && code !== 'case_not_found')).toEqual([]);
      expect(await jobsOf(ada, id)).toEqual(expect.arrayContaining([jobs[0], jobs[2]]));
      expect(await jobsOf(ada, id)).toHaveLength(2);
      await expect(getCase(ports, root, { id: other })).rejects.toMatchObject(notThere);
      const [row] = (await findCases(ports, root, { q: '', status: 'all', sort: 'findings', page: 1 })).items;
      expect(row).toMatchObject({
        id,
        job_count: 2,
        total_findings: 2,
        entity_count: (await valuesOf(ada, id)).length,
      });
      const values = await valuesOf(ada, id);
      expect(new Set(values).size).toBe(values.length);
      expect(values).toEqual(
        expect.arrayContaining(['CORP\\Admin_1', 'WS01', 'evil.example', 'certutil.exe', 'alice 100%']),
      );
    });

    it('moves when its links and their notes do, and counts a job that ends later', async () => {
      const id = await opened();
      const source = await naming([0], {}, 0);
      const before = (await ports.cases.get(id))!.updatedAt.getTime();
      await addCaseJob(ports, ada, { id, job_id: source, include_entities: false, note: '' });
      const linked = (await ports.cases.get(id))!.updatedAt.getTime();
      expect(linked).toBeGreaterThanOrEqual(before);
      const findings = async () =>
        (await ports.caseLists.page(root, { statuses: ['open'], text: '' }, { page: 1, per: 9 }, 'findings')).cases[0]
          ?.matches;
      expect(await findings()).toBe(0);
      await moveJob(ports, source, { from: 'running', to: 'completed', at });
      expect(await findings()).toBe(1);
      await ports.transaction(async (tx) => {
        await tx.cases.hold(id);
        await tx.cases.change(id, {}, new Date(linked + 5000));
      });
      await noteCaseJob(ports, ada, { id, job_id: source, note: 'x' });
      expect((await ports.cases.get(id))!.updatedAt.getTime()).toBe(linked + 5000);
    });
  });
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

import { addCaseEntity, addCaseJob, addCaseJobEntities, addCaseJobs } from '@svc/application/cases/add-to-case.ts';
import { addCaseCollaborator, changeCaseStatus } from '@svc/application/cases/change-case.ts';
import { noteCaseJob, removeCaseJob } from '@svc/application/cases/change-case-links.ts';
import type { CaseSort } from '@svc/application/cases/case-lists.ts';
import { findCases } from '@svc/application/cases/find-cases.ts';
import { getCase } from '@svc/application/cases/get-case.ts';
import { getCasePivots, getCaseSummary } from '@svc/application/cases/get-case-overview.ts';
import {
  findCaseEntities,
  getCaseDetail,
  listCaseEntities,
  pickCaseEntities,
  pickCaseJobs,
} from '@svc/application/cases/list-case-links.ts';
import { quickCreateCase } from '@svc/application/cases/open-case.ts';
import { getEntity } from '@svc/application/intel/get-entity.ts';
import { allowlistEntities } from '@svc/application/intel/allowlist-entities.ts';
import type { ListCursor } from '@svc/application/jobs/job-lists.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { parseEntitySearch, severities, type Actor } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { caseFixture, idOf } from './case-fixture.ts';

/** What lists of cases and of what is in them show whom; `make` gives empty repositories with workflows. */
export function caseListsContract(make: () => Promise<Ports>): void {
  describe('lists of cases', () => {
    let ports: Ports;
    let ada: Actor;
    let bea: Actor;
    let eve: Actor;
    let root: Actor;
    const cases = caseFixture(make);
    const { opened, job, entity, valuesOf, jobsOf } = cases;
    beforeEach(() => void ({ ports, ada, bea, eve, root } = cases.now()));

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

    it('name the job of a number first, written with a # or not, before later ones whose names have the number', async () => {
      const first = await job([0]);
      const later = await job([0], { submittedName: `host-${first}.evtx` });
      const [plain, withSign] = [
        await pickCaseJobs(ports, ada, { q: String(first) }),
        await pickCaseJobs(ports, ada, { q: `#${first}` }),
      ];
      expect([plain.map(({ id }) => id), withSign.map(({ id }) => id)]).toEqual([[first, later], [first]]);
    });

    it('are told of on the pages of what is in them, and asked for by searches of it', async () => {
      const id = await opened();
      const source = await job([0, 2]);
      await addCaseEntity(ports, ada, { id, entity_id: await entity(0), note: '' });
      await addCaseJob(ports, ada, { id, job_id: source, include_entities: false, note: '' });
      const told = async (actor: Actor) => ({
        page: (await getEntity(ports, actor, { id: await entity(0), job: null })).cases.map(({ name }) => name),
        search: await ports.entityLists
          .page(
            actor,
            { root: parseEntitySearch('has:case').root, now: new Date() },
            { page: 1, per: 9 },
            { by: 'value', isReversed: false, foldsAliases: false },
          )
          .then(({ entities }) => entities.map(({ value }) => value)),
      });
      expect(await told(ada)).toEqual({ page: ['Phish wave'], search: ['CORP\\Admin_1'] });
      expect(await told(eve)).toEqual({ page: [], search: [] });
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
            const end = ids.length - (ids.length % 3 || 3);
            const before =
              back === null
                ? []
                : (await ports.caseLists.page(viewer, search, { page: 1, per: 3, cursor: back }, sort)).cases;
            expect(before.map(({ id }) => id)).toEqual(back === null ? [] : ids.slice(end - 3, end));
          }
        }
      }
      const found = await findCases(ports, root, { q: ' ALPHA', status: 'all', sort: 'name', page: 9 });
      expect([found.items.map(({ name }) => name), found.page]).toEqual([['alpha', 'ALPHA 2'], 1]);
      expect((await findCases(ports, root, { q: '%', status: 'all', sort: 'name', page: 1 })).total).toBe(1);
    });
  });
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

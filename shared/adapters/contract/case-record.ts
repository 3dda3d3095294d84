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
import { noteCaseEntity, noteCaseJob, removeCaseEntity } from '@svc/application/cases/change-case-links.ts';
import { pickCaseMembers } from '@svc/application/cases/case-members.ts';
import { findCases } from '@svc/application/cases/find-cases.ts';
import { getCase } from '@svc/application/cases/get-case.ts';
import { getCaseDetail, listCaseEntities } from '@svc/application/cases/list-case-links.ts';
import { listCaseNarratives } from '@svc/application/cases/list-case-narratives.ts';
import { quickCreateCase } from '@svc/application/cases/open-case.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import { removeJob } from '@svc/application/jobs/remove-job.ts';
import { writeComment } from '@svc/application/discussions/add-comment.ts';
import { listNotifications } from '@svc/application/discussions/list-notifications.ts';
import { drainHappenings } from '@svc/application/happenings/drain-happenings.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { caseLimits, type Actor } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { at } from './job-fixture.ts';
import { caseFixture, idOf } from './case-fixture.ts';

/** What is said of a case, and who puts what into it; `make` gives empty repositories with workflows. */
export function caseRecordContract(make: () => Promise<Ports>): void {
  describe('the record of a case', () => {
    let ports: Ports;
    let ada: Actor;
    let bea: Actor;
    let eve: Actor;
    let root: Actor;
    const cases = caseFixture(make);
    const { opened, job, entity, valuesOf, jobsOf, naming } = cases;
    beforeEach(() => void ({ ports, ada, bea, eve, root } = cases.now()));

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

    it('has its comments told to whom it concerns, who still sees it', async () => {
      const id = await opened({ is_shared: true });
      const on = { target: 'case', id } as const;
      const said = async (by: Actor, body: string) => {
        await writeComment(ports, { on, authorId: idOf(by), body, at: new Date() });
        await drainHappenings(ports);
      };
      const told = async (actor: Actor) =>
        (await listNotifications(ports, actor)).items.map(({ summary, case: about }) => [summary, about?.name]);
      await addCaseCollaborator(ports, ada, { id, account_id: idOf(bea) });
      await said(eve, 'one');
      expect([await told(ada), await told(bea), await told(eve), await told(root)]).toEqual([
        [['eve: one', 'Phish wave']],
        [['eve: one', 'Phish wave']],
        [],
        [],
      ]);
      await said(ada, 'two');
      expect(await told(eve)).toEqual([['ada: two', 'Phish wave']]);
      await changeCaseStatus(ports, ada, { id, is_shared: false });
      await said(bea, 'three');
      expect([(await told(ada)).length, (await told(bea)).length, await told(eve)]).toEqual([2, 2, []]);
      expect(await ports.caseNotifications.acknowledge(idOf(ada), null, new Date())).toBe(2);
      expect(await told(ada)).toEqual([]);
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

const notThere = { code: 'case_not_found' };
const forbidden = { code: 'forbidden' };

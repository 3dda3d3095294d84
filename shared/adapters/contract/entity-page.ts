import { deleteOne } from '@svc/application/jobs/delete-job.ts';
import { countEntityLinks } from '@svc/application/intel/count-entity-links.ts';
import { getEntity } from '@svc/application/intel/get-entity.ts';
import { getEntityMitre, getIntelMitreLayer } from '@svc/application/intel/get-entity-mitre.ts';
import { getEntitySightings } from '@svc/application/intel/get-entity-sightings.ts';
import { getEntityThreats } from '@svc/application/intel/get-entity-threats.ts';
import { getRelationshipTimespan } from '@svc/application/intel/get-relationship-timespan.ts';
import { getSeenBefore } from '@svc/application/intel/get-seen-before.ts';
import { listAssociatedEntities } from '@svc/application/intel/list-associated-entities.ts';
import { listEntitiesTogether } from '@svc/application/intel/list-entities-together.ts';
import { listEntityFindings } from '@svc/application/intel/list-entity-findings.ts';
import { listEntityJobs } from '@svc/application/intel/list-entity-jobs.ts';
import { listEntityRelationships } from '@svc/application/intel/list-entity-relationships.ts';
import { listRelationshipEvidence } from '@svc/application/intel/list-relationship-evidence.ts';
import { lookUpEntities } from '@svc/application/intel/look-up-entities.ts';
import { suggestAliases } from '@svc/application/intel/suggest-aliases.ts';
import { separateEntity, uniteEntities } from '@svc/application/intel/unite-entities.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { InputOf, operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { day, entityFixture, shownBy } from './entity-fixture.ts';
import { account } from './job-fixture.ts';

/** What pages of entities and reports say of them, by viewer; `make` gives empty repositories with workflows. */
export function entityPageContract(make: () => Promise<Ports>): void {
  describe('an entity', () => {
    let ports: Ports;
    const { naming, userNamed } = entityFixture(async () => (ports = await make()));

    it('leads to jobs and findings that the viewer sees, and to no others', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      const shared = await naming([0, 6], {}, 0);
      const hidden = await naming([0, 8], { submittedBy: owner, isPrivate: true }, 1);
      expect((await getIntelMitreLayer(ports, mine)).techniques).toEqual([]);
      for (const job of [shared, hidden])
        await moveJob(ports, job, { from: 'running', to: 'completed', at: new Date() });
      const id = (await ports.entities.find({ type: 'user', value: 'corp\\admin_1' }))!;
      const told = async (viewer: Actor) => ({
        jobs: (await listEntityJobs(ports, viewer, { id, page: 1, per: 50, fold_aliases: false })).jobs.map(
          (job) => job.id,
        ),
        findings: (
          await listEntityFindings(ports, viewer, { id, page: 1, job: hidden, fold_aliases: false, suppressed: false })
        ).findings.map((one) => one.job_id),
        mitre: (await getEntityMitre(ports, viewer, { id, job: hidden })).techniques.map((one) => one.count),
        allJobs: (await getIntelMitreLayer(ports, viewer)).techniques.map((one) => one.score),
        together: (await listEntitiesTogether(ports, viewer, { id })).items.map((one) => [one.value, one.shared_jobs]),
      });
      expect(await told(mine)).toEqual({
        jobs: [hidden, shared],
        findings: [hidden],
        mitre: [1],
        allJobs: [2],
        together: [
          ['certutil.exe', 1],
          ['evil.example', 1],
        ],
      });
      expect(await told(other)).toEqual({
        jobs: [shared],
        findings: [shared],
        mitre: [1],
        allJobs: [1],
        together: [['certutil.exe', 1]],
      });
      // The page opens on the only job that its viewer sees, unless the address says otherwise.
      const opened = async (viewer: Actor, job: number | null) => {
        const shown = await getEntity(ports, viewer, { id, job });
        return [shown.job, shown.auto_job, shown.notices.length];
      };
      expect(await opened(mine, null)).toEqual([null, null, 0]);
      expect(await opened(mine, hidden)).toEqual([hidden, null, 0]);
      expect(await opened(other, null)).toEqual([null, shared, 0]);
      expect(await opened(other, 0)).toEqual([null, null, 0]);
      expect(await opened(other, hidden)).toEqual([null, null, 1]);
      expect(await ports.entityLists.jobs(other, 'security', 10)).toEqual([shared]);
      expect((await ports.entityLists.counts(other)).jobs).toBe(1);
    });

    it('is counted with what it is the same as, each job and finding once, as far as the viewer sees', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      const first = await naming([11, 12], {}, 0, shownBy(2, 0));
      const hidden = await naming([12, 6], { submittedBy: owner, isPrivate: true }, 1);
      const last = await naming([11, 2, 13], {}, 2);
      const idOf = async (type: 'computer' | 'user', value: string) => (await ports.entities.find({ type, value }))!;
      const [alice, mail] = [await idOf('user', 'corp\\alice'), await idOf('user', 'alice@corp.example')];
      const [host, name] = [await idOf('computer', 'ws01'), await idOf('computer', 'ws01.corp.example')];
      const suggested = async (id: number, q = '') =>
        (await suggestAliases(ports, mine, { id, q })).items.map((one) => one.id);
      expect(await suggested(alice)).toEqual([mail]);
      expect(await suggested(mail)).toEqual([alice]);
      expect(await suggested(host)).toEqual([name]);
      expect(await suggested(name)).toEqual([host]);
      expect(await suggested(alice, 'CORP.EX')).toEqual([mail]);
      expect(await suggested(alice, 'ws01')).toEqual([]);

      const told = async (viewer: Actor, id: number, folds = true) => ({
        jobs: (await listEntityJobs(ports, viewer, { id, page: 1, per: 50, fold_aliases: folds })).jobs.map(
          (job) => job.id,
        ),
        findings: (
          await listEntityFindings(ports, viewer, { id, page: 1, job: null, fold_aliases: folds, suppressed: false })
        ).findings.map((one) => one.job_id),
        counts: await countEntityLinks(ports, viewer, { id, job: null, fold_aliases: folds }),
      });
      const alone = {
        jobs: [last, first],
        findings: [last, first],
        counts: { jobs: 2, findings: 2, relationships: 1 },
      };
      expect(await told(mine, alice)).toEqual(alone);
      expect(await uniteEntities(ports, mine, { id: mail, entity_ids: [alice] })).toEqual({
        aliases: [{ id: alice, value: 'CORP\\Alice', entity_type: 'user' }],
      });
      expect(await suggested(alice)).toEqual([]);
      for (const id of [alice, mail]) {
        expect(await told(mine, id)).toEqual({
          jobs: [last, hidden, first],
          findings: [last, hidden, first],
          counts: { jobs: 3, findings: 3, relationships: 1 },
        });
        expect(await told(other, id)).toEqual(alone);
      }
      expect(await told(mine, alice, false)).toEqual(alone);
      expect((await getEntity(ports, other, { id: alice, job: null })).aliases.map((one) => one.id)).toEqual([mail]);
      await expect(uniteEntities(ports, mine, { id: alice, entity_ids: [host] })).rejects.toMatchObject({
        code: 'bad_request',
      });
      await expect(uniteEntities(ports, mine, { id: 2_000_000_000, entity_ids: [alice] })).rejects.toMatchObject({
        code: 'not_found',
      });

      // What no job names any more is nobody's alias; who is left is alone.
      for (const id of [hidden, first]) await deleteOne(ports, id, null);
      expect(await getEntity(ports, mine, { id: alice, job: null })).toMatchObject({ job_count: 1, aliases: [] });
    });

    it('is one with all that several people say at the same time', async () => {
      const viewer = account(await userNamed('mine@example.org'), 'member');
      await naming([0, 1, 11, 12], {}, 0);
      const ids: number[] = [];
      for (const value of ['corp\\admin_1', 'alice 100%', 'corp\\alice', 'alice@corp.example'])
        ids.push((await ports.entities.find({ type: 'user', value }))!);
      const [a = 0, b = 0, c = 0, d = 0] = ids;
      await Promise.all(
        [
          [a, b],
          [c, d],
          [b, c],
          [d, a],
        ].map(([id, other]) => uniteEntities(ports, viewer, { id: id!, entity_ids: [other!] })),
      );
      const others = async (id: number) =>
        (await getEntity(ports, viewer, { id, job: null })).aliases.map((one) => one.id);
      for (const id of ids) expect(await others(id)).toEqual(upwards(ids.filter((one) => one !== id)));
      // The lowest leaves, and begins anew with another: neither takes the rest along.
      const [lowest = 0, second = 0, ...rest] = upwards(ids);
      await separateEntity(ports, viewer, { id: lowest });
      await separateEntity(ports, viewer, { id: second });
      await uniteEntities(ports, viewer, { id: second, entity_ids: [lowest] });
      expect(await others(lowest)).toEqual([second]);
      expect(await others(rest[0]!)).toEqual(rest.slice(1));
      await separateEntity(ports, viewer, { id: rest[0]! });
      expect(await others(rest[1]!)).toEqual([]);
    });

    it('tells when jobs that the viewer sees saw it, and what findings say of it', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      const first = await naming([6, 0], {}, 0, shownBy(2, 5 * day));
      const same = await naming([6, 0], {}, 0, shownBy(1, 6 * day - 1));
      const hidden = await naming([6, 0], { submittedBy: owner, isPrivate: true }, 1, shownBy(3, 7 * day));
      const user = (await ports.entities.find({ type: 'user', value: 'corp\\admin_1' }))!;
      const told = async (viewer: Actor, id: number) => {
        const { buckets, findings, ...rest } = await getEntitySightings(ports, viewer, { id });
        return {
          ...rest,
          high: findings.high,
          buckets: buckets.map((one) => [one.from / day, one.jobs, one.severity]),
        };
      };
      const whole = { step: 'day', is_cut: false, undated: 0 };
      expect(await told(other, user)).toEqual({
        ...whole,
        jobs: 2,
        high: 2,
        jobs_with_findings: 2,
        buckets: [[5, 2, 'high']],
      });
      expect(await told(mine, user)).toMatchObject({
        jobs: 3,
        high: 3,
        buckets: [
          [5, 2, 'high'],
          [7, 1, 'high'],
        ],
      });
      // By its finding, and of one that a finding of the job does not name, when the job was submitted.
      const found = await naming([6], {}, 2);
      const silent = await naming([7, 6], {}, 2);
      const program = (await ports.entities.find({ type: 'executable', value: 'certutil.exe' }))!;
      expect(await told(other, program)).toEqual({
        step: 'week',
        is_cut: false,
        undated: 1,
        jobs: 4,
        high: 3,
        jobs_with_findings: 3,
        buckets: [
          // Monday, the 5th of January 1970, and the 27th of July 2026.
          [4, 2, 'high'],
          [Date.parse('2026-07-27') / day, 2, 'high'],
        ],
      });
      const during = async (viewer: Actor, from: number, to?: number) =>
        (
          await listEntityJobs(ports, viewer, {
            id: program,
            page: 1,
            per: 50,
            fold_aliases: false,
            from: from * day,
            ...(to && { to: to * day }),
          })
        ).jobs.map((job) => job.id);
      expect(await during(mine, 4, 11)).toEqual([hidden, same, first]);
      expect(await during(other, 6, 11)).toEqual([]);
      expect(await during(other, 6)).toEqual([silent, found]);
    });

    it('tells what went on in jobs that the viewer sees, and what it is related to', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      await naming([6, 0], { hasThreats: true }, 0, shownBy(2, 5000));
      await naming([6, 1], { hasThreats: true, submittedBy: owner, isPrivate: true }, 1, shownBy(3, 90_000));
      const program = (await ports.entities.find({ type: 'executable', value: 'certutil.exe' }))!;
      const user = (await ports.entities.find({ type: 'user', value: 'corp\\admin_1' }))!;
      const hidden = (await ports.entities.find({ type: 'user', value: 'alice 100%' }))!;
      const lolbins = { category: 'lolbin_usage', label: 'Living-off-the-land binaries', severity: 'high' };
      expect(await getEntityThreats(ports, mine, { id: program })).toEqual({
        categories: [{ ...lolbins, jobs: 2, direct: true }],
        severity: 'high',
        total: 4,
      });
      expect((await getEntityThreats(ports, other, { id: program })).categories).toMatchObject([{ jobs: 1 }]);
      expect((await getEntityThreats(ports, other, { id: user })).categories).toMatchObject([{ direct: false }]);
      expect(await getEntityThreats(ports, other, { id: hidden })).toEqual({
        categories: [],
        severity: null,
        total: 0,
      });
      const related = async (id: number) =>
        (await listAssociatedEntities(ports, other, { id })).groups.map((group) => [
          group.label,
          group.direction,
          group.total,
          group.rows.map((row) => [row.other.value, row.occurrence_count]),
        ]);
      expect(await related(program)).toEqual([
        [
          'Run by users',
          'out',
          2,
          [
            ['alice 100%', 3],
            ['CORP\\Admin_1', 2],
          ],
        ],
      ]);
      expect(await related(user)).toEqual([['Executables', 'in', 1, [['certutil.exe', 2]]]]);
      const [few] = await ports.entityLinks.associated(program, [{ type: 'runs_as', isOut: true }], 1);
      expect(few).toMatchObject({ total: 2, strongest: [{ occurrences: 3 }] });
    });

    it('shows of a relationship the evidence of jobs that the viewer sees, and of no others', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      const first = await naming([6, 0], {}, 0, shownBy(2, 5000));
      const hidden = await naming([6, 0], { submittedBy: owner, isPrivate: true }, 1, shownBy(3, 90_000));
      const silent = await naming([6, 0], {}, 2);
      const id = (await ports.entities.find({ type: 'executable', value: 'certutil.exe' }))!;
      const related = async (viewer: Actor, over: Partial<InputOf<typeof operations.listEntityRelationships>> = {}) => {
        const { groups, kinds, total } = await listEntityRelationships(ports, viewer, { id, job: null, ...over });
        return { kinds: kinds.map((kind) => kind.count), total, rows: groups.flatMap(({ rows }) => rows) };
      };
      const [row] = (await related(other)).rows;
      expect(row).toMatchObject({ occurrence_count: 5, other: { value: 'CORP\\Admin_1' } });
      const relationship = { id: row!.relationship_id };
      expect(await getRelationshipTimespan(ports, mine, relationship)).toMatchObject({
        rel_type: 'runs_as',
        source: { value: 'certutil.exe' },
        occurrence_count: 5,
        evidence_occurrences: 5,
        jobs: 2,
        time_source: 'event',
        from: 5000,
        to: 91_000,
      });
      expect(await getRelationshipTimespan(ports, other, relationship)).toMatchObject({
        occurrence_count: 5,
        evidence_occurrences: 2,
        jobs: 1,
        from: 5000,
        to: 6000,
      });
      const evidence = async (viewer: Actor) =>
        (await listRelationshipEvidence(ports, viewer, { ...relationship, page: 1 })).evidence.map((one) => [
          one.job.id,
          one.occurrence_count,
          one.failed_count,
          one.events,
          one.findings.map((found) => found.rule_name),
        ]);
      const sample = [{ EventID: 1 }];
      expect(await evidence(mine)).toEqual([
        [hidden, 3, 1, sample, ['Encoded PowerShell Command Line']],
        [first, 2, 1, sample, ['Encoded PowerShell Command Line']],
        [silent, undefined, undefined, [], []],
      ]);
      expect((await evidence(other)).map(([job]) => job)).toEqual([first, silent]);
      // The window is of what the viewer sees; the kinds tell what it leaves.
      expect(await related(mine, { from: 80_000 })).toMatchObject({ kinds: [1], total: 1 });
      expect(await related(other, { from: 80_000 })).toEqual({ kinds: [0], total: 0, rows: [] });
      expect((await related(other, { from: 6000, to: 6000 })).total).toBe(1);
      expect(await related(other, { kinds: ['loads'] })).toEqual({ kinds: [1], total: 0, rows: [] });
      await expect(getRelationshipTimespan(ports, mine, { id: 2_000_000_000 })).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    it('tells what of a job earlier ones name, of those that the viewer sees', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      const hidden = await naming([0, 8], { submittedBy: owner, isPrivate: true }, 0);
      await naming([0, 6], {}, 1);
      const asked = await naming([6, 0, 8, 9], {}, 2);
      const { sha256 } = (await ports.jobs.get(asked))!.file;
      // The same log once more, and one that came later.
      await naming([6, 0, 8, 9], { sha256 }, 3);
      await naming([9], {}, 4);
      const told = async (viewer: Actor, which: 'seen' | 'new') => {
        const { total, seen, list } = await getSeenBefore(ports, viewer, { id: asked, which, page: 9 });
        const items = list.items.map((one) => [one.value, one.jobs_before, one.jobs]);
        return { total, seen, page: list.page, items };
      };
      expect(await told(mine, 'seen')).toEqual({
        total: 4,
        seen: 3,
        page: 1,
        // What a finding names comes first.
        items: [
          ['certutil.exe', 1, 1],
          ['evil.example', 1, 1],
          ['CORP\\Admin_1', 2, 2],
        ],
      });
      expect((await told(mine, 'new')).items).toEqual([['run.ps1', 0, 1]]);
      expect((await told(other, 'seen')).items).toEqual([
        ['certutil.exe', 1, 1],
        ['CORP\\Admin_1', 1, 1],
      ]);
      expect((await told(other, 'new')).items).toEqual([
        ['evil.example', 0, 0],
        ['run.ps1', 0, 1],
      ]);
      const values = [
        { entity_type: 'user', value: 'never seen' },
        { entity_type: 'domain', value: 'EVIL.example' },
        { entity_type: 'user', value: 'evil.example' },
      ] as const;
      const known = async (viewer: Actor) =>
        (await lookUpEntities(ports, viewer, { id: asked, entities: [...values] })).items.map((one) => [
          one.place,
          one.value,
          one.jobs_before,
        ]);
      expect(await known(mine)).toEqual([[1, 'evil.example', 1]]);
      expect(await known(other)).toEqual([[1, 'evil.example', 0]]);
      await expect(getSeenBefore(ports, other, { id: hidden, which: 'seen', page: 1 })).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  });
}

const upwards = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);

import { linkEntities } from '../testing/link-entities.ts';
import { exportCaseGraph } from '@svc/application/cases/export-case-graph.ts';
import { getCaseGraphActive } from '@svc/application/cases/get-case-graph-active.ts';
import { getCaseGraph } from '@svc/application/cases/get-case-graph.ts';
import { getCaseProcessTree } from '@svc/application/cases/get-case-process-tree.ts';
import { allowlistEntities } from '@svc/application/intel/allowlist-entities.ts';
import { getEntityGraph } from '@svc/application/intel/get-entity-graph.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { operations, type EntityGraph } from '@svc/contracts';
import { graphFlags, graphLimits, type Actor } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Database } from '../postgres/database.ts';
import { caseCollaborators, caseJobs } from '../postgres/schema/index.ts';
import { ascending, edgesOf, expectedEdges, firedAt, graphFixture, jobs, type NamingJob } from './graph-fixture.ts';
import { at } from './job-fixture.ts';

/** What entity 4 is, which is left out of the case; and the job that is. */
const [outside, outsideJob] = [4, 4];
/** Seconds that the clocks of the jobs of the case were ahead. */
const ahead = [0, 7200, 0, -30];

const byText = (a = '', b = ''): number => a.localeCompare(b);
const held = ({ n }: EntityGraph): (number | undefined)[][] =>
  (n.ca ?? []).map(([place = 0, ...cases]) => [n.id[place], ...cases.sort(ascending)]);
const flagged = ({ n }: EntityGraph): number[] => n.id.filter((_, place) => (n.fl[place]! & graphFlags.in_case) > 0);

/** The colour that matches of some jobs give a node. */
function colourOf(seen: readonly NamingJob[], place: number): number {
  const ranks = seen.flatMap(({ findings }) =>
    findings.flatMap((of, nth) => (of.includes(place) ? [nth === 0 ? 2 : 4] : [])),
  );
  return ranks.length === 0 ? 0 : Math.min(...ranks);
}

/** Graphs of cases held against a plain reading of what was stored, for all who may look at them. */
export function caseGraphContract(make: () => Promise<Ports>, orm: () => Database): void {
  describe('a graph of a case', () => {
    let ports: Ports;
    const { world } = graphFixture(async () => (ports = await make()));

    /** A case of the first account's, which is not shared and which the third works on, of all but one job and entity. */
    async function caseWorld() {
      const made = await world();
      const [mine, yours, admin, stranger] = made.viewers;
      const [ownerId] = made.owners;
      const { id: caseId } = await ports.cases.create({ name: 'Phish wave', ownerId, isShared: false, at });
      const { id: other } = await ports.cases.create({
        name: 'Of yours',
        ownerId: made.owners[1],
        isShared: false,
        at,
      });
      const link = { by: ownerId, at };
      const members = made.ids.filter((_, place) => place !== outside);
      await linkEntities(ports, caseId, [...members, members[0]!], link);
      await linkEntities(ports, other, [made.ids[0]!, made.ids[outside]!], link);
      for (const [nth, jobId] of made.jobIds.entries()) {
        if (nth === outsideJob) continue;
        await ports.cases.link(caseId, { jobId, ...link });
        await orm()
          .update(caseJobs)
          .set({ clockOffset: ahead[nth]! })
          .where(sql`job_id = ${jobId}`);
      }
      const accountId = stranger!.kind === 'account' ? stranger!.userId : '';
      await orm().insert(caseCollaborators).values({ caseId, accountId, addedBy: ownerId, addedAt: at });
      return { ...made, caseId, other, members, mine: mine!, yours: yours!, admin: admin!, stranger: stranger! };
    }

    const graphOf = async (viewer: Actor, id: number, over: object = {}): Promise<EntityGraph> => {
      const asked = operations.getCaseGraph.query.parse(over);
      return operations.getCaseGraph.output.parse(await getCaseGraph(ports, viewer, { id, ...asked }));
    };
    it('has its entities, and what the viewer may know of how they are joined', async () => {
      const { caseId, ids, jobIds, members, mine, admin, stranger, yours, seenBy } = await caseWorld();
      const place = new Map(ids.map((id, nth) => [id, nth]));
      for (const viewer of [mine, admin, stranger]) {
        const seen = seenBy(viewer);
        const graph = await graphOf(viewer, caseId);
        expect(graph).toMatchObject({ scope: 'case', case_name: 'Phish wave', focal: null });
        expect(graph.n.id.toSorted(ascending)).toEqual(members.toSorted(ascending));
        const inside = new Set(members.map((id) => place.get(id)!));
        expect(edgesOf(graph)).toEqual(expectedEdges(seen, inside, ids, null));
        expect(graph.n.sv).toEqual(graph.n.id.map((id) => colourOf(seen, place.get(id)!)));
        expect(graph.stats).toMatchObject({
          total_nodes: members.length,
          truncated: false,
          total_edges: graph.e.s.length,
        });
        // Jobs that are not asked for join nothing.
        const bare = await graphOf(viewer, caseId, { job_edges: '0' });
        expect(edgesOf(bare).filter((edge) => edge.split(' ')[2] === '0')).toEqual([]);
        expect(bare.stats.kinds.job).toBe(0);
        const unusable: EntityGraph[] = [];
        for (const [nth, job] of jobIds.entries()) {
          const isUsable = nth !== outsideJob && seen.includes(jobs[nth]!);
          const narrowed = await graphOf(viewer, caseId, { job: String(job) });
          const named = isUsable ? jobs[nth]!.names.filter((one) => one !== outside) : [];
          expect(narrowed.n.id.map((id) => place.get(id)!).sort(ascending)).toEqual(named.toSorted(ascending));
          expect(narrowed.stats).toMatchObject({ job_scoped: true, job_id: isUsable ? job : null });
          const edges = isUsable ? expectedEdges([jobs[nth]!], new Set(named), ids, jobs[nth]!) : [];
          expect(edgesOf(narrowed)).toEqual(edges);
          unusable.push(...(isUsable ? [] : [narrowed]));
        }
        // One answer, whatever the reason.
        const missing = await graphOf(viewer, caseId, { job: '2000000000' });
        expect(unusable).toEqual(unusable.map(() => missing));
      }
      await expect(graphOf(yours, caseId)).rejects.toMatchObject({ code: 'case_not_found' });
      const file = new TextDecoder().decode(
        await exportCaseGraph(ports, stranger, { id: caseId, include_allowlisted: false, job: null, mixed: false }),
      );
      expect(file.match(/<node /g)).toHaveLength(members.length);
      expect(file.match(/<edge /g)).toHaveLength((await graphOf(stranger, caseId)).e.s.length);
    });

    it('says which other cases its viewer sees hold a node, as the graph of an entity does', async () => {
      const { caseId, other, ids, mine, yours, admin, stranger } = await caseWorld();
      for (const [viewer, expected] of [
        [mine, []],
        [stranger, []],
        [admin, [[ids[0], other]]],
      ] as const) {
        const graph = await graphOf(viewer, caseId);
        expect([held(graph), flagged(graph)]).toEqual([expected, expected.map(([id]) => id)]);
      }
      const around = async (viewer: Actor) =>
        getEntityGraph(ports, viewer, {
          id: ids[0]!,
          ...operations.getEntityGraph.query.parse({ hops: '1', limit: '500' }),
        });
      expect(held(await around(yours))).toEqual(
        expect.arrayContaining([
          [ids[0], other],
          [ids[outside], other],
        ]),
      );
      expect(held(await around(yours))).toHaveLength(2);
      expect(held(await around(stranger)).every(([, ...cases]) => cases.join() === String(caseId))).toBe(true);
      expect(flagged(await around(stranger))).not.toContain(ids[outside]);
    });

    it('marks what a query meets, hides what is allowlisted, and counts what a cap leaves out', async () => {
      const { caseId, ids, jobIds, members, stranger, mine } = await caseWorld();
      const met = async (viewer: Actor, q: string) => {
        const { n, notices } = await graphOf(viewer, caseId, { q });
        return { met: (n.mt ?? []).map((nth) => n.lb[nth]), all: n.id.length, notices };
      };
      expect(await met(stranger, 'value 12')).toMatchObject({ met: ['value 12'], all: members.length });
      const ofPrivate = await met(stranger, `job:${jobIds[2]}`);
      expect(ofPrivate.met).toEqual([]);
      expect(ofPrivate).toEqual(await met(stranger, 'job:2000000000'));
      expect((await met(mine, `job:${jobIds[2]}`)).met.toSorted(byText)).toEqual([
        'value 0',
        'value 6',
        'value 7',
        'value 8',
        'value 9',
      ]);
      await allowlistEntities(ports, stranger, { entity_ids: [ids[1]!], value: true, reason: '' });
      expect((await graphOf(stranger, caseId)).stats.total_nodes).toBe(members.length - 1);
      expect((await graphOf(stranger, caseId, { include_allowlisted: '1' })).n.id).toContain(ids[1]);
      const few = await ports.caseStory.members(caseId, { job: null, hidesAllowlisted: false, most: 3 });
      expect(few.total).toBe(members.length);
      expect(few.members.map(({ id }) => id).sort(ascending)).toEqual(members.toSorted(ascending).slice(0, 3));
      expect(graphLimits.nodes).toBeGreaterThan(members.length);
    });

    it('lights up what rules name that fired in a window, by the corrected clock of each job the viewer sees', async () => {
      const { caseId, ids, jobIds, members, mine, admin, stranger, yours, seenBy } = await caseWorld();
      const active = (viewer: Actor, over: object) =>
        getCaseGraphActive(ports, viewer, { id: caseId, ...operations.getCaseGraphActive.query.parse(over) });
      const fired = jobs.flatMap(({ findings }, nth) =>
        nth === outsideJob
          ? []
          : findings.map((names, which) => ({ nth, names, at: (firedAt(nth, which) - ahead[nth]!) * 1000 })),
      );
      const times = [...new Set(fired.map((one) => one.at))].sort(ascending);
      for (const viewer of [mine, admin, stranger]) {
        const seen = seenBy(viewer);
        for (const frm of times) {
          for (const to of times.filter((time) => time >= frm)) {
            const expected = fired
              .filter((one) => seen.includes(jobs[one.nth]!) && one.at + 1000 > frm && one.at <= to)
              .flatMap(({ names }) => names.map((name) => ids[name]!))
              .filter((id) => members.includes(id));
            expect(await active(viewer, { frm: String(frm), to: String(to) })).toMatchObject({
              entity_ids: [...new Set(expected)].sort(ascending),
              jobs: seen.filter((job) => job !== jobs[outsideJob]).length,
              jobs_without_index: 0,
              index_missing: false,
            });
          }
        }
        const own = fired.filter((one) => seen.includes(jobs[one.nth]!)).map((one) => one.at);
        expect((await active(viewer, {})).extent).toEqual({ from: Math.min(...own), to: Math.max(...own) });
        for (const [nth, job] of jobIds.entries()) {
          const isUsable = nth !== outsideJob && seen.includes(jobs[nth]!);
          const named = [...new Set(jobs[nth]!.findings.flat())].map((place) => ids[place]!);
          const { entity_ids: found } = await active(viewer, { job_id: String(job) }).catch(() => ({
            entity_ids: null,
          }));
          expect(found).toEqual(isUsable ? named.filter((id) => members.includes(id)).sort(ascending) : null);
        }
        await expect(active(viewer, { job_id: '2000000000' })).rejects.toMatchObject({ code: 'not_found' });
      }
      await expect(active(yours, {})).rejects.toMatchObject({ code: 'case_not_found' });
    });

    it('has each process once, with the jobs and findings that tell of it and that its viewer sees', async () => {
      const { caseId, ids, jobIds, mine, admin, stranger, yours, seenBy } = await caseWorld();
      const processes = async (viewer: Actor, over: object = {}) => {
        const asked = operations.getCaseProcessTree.query.parse(over);
        const answer = await getCaseProcessTree(ports, viewer, { id: caseId, ...asked });
        return operations.getCaseProcessTree.output.parse(answer);
      };
      for (const viewer of [mine, admin, stranger]) {
        const seen = jobIds.filter((_, nth) => nth !== outsideJob && seenBy(viewer).includes(jobs[nth]!));
        const first = new Map<number, number>();
        for (const job of seen) {
          const { findings } = await ports.findings.page(job, { severity: null, page: 1, per: 50 });
          first.set(job, findings.find(({ ruleId }) => ruleId === 'rule-0')!.id);
        }
        const told = async (over: object, of: readonly number[]) => {
          const { hosts, host, forest, jobs: members, findings } = await processes(viewer, over);
          expect(members.map((job) => job.id)).toEqual(seen);
          expect([hosts.length, host]).toEqual([1, 'ws1.example.org']);
          expect(hosts[0]).toMatchObject({ processes: 1, jobs: of, findings: of.length, doubtful: 0 });
          // The one that started it is known by it alone.
          expect(forest!.roots).toMatchObject([
            { pid: '1', hit: false, jobs: [], children: [{ image: 'powershell.exe', jobs: of, doubts: [] }] },
          ]);
          const named = of.map((job) => first.get(job)!).sort(ascending);
          expect(forest!.roots[0]!.children[0]!.findings).toEqual(named);
          expect(findings.map((one) => one.id).sort(ascending)).toEqual(named);
        };
        await told({}, seen);
        const unusable = [];
        for (const [nth, job] of jobIds.entries()) {
          const isUsable = seen.includes(job);
          await told({ job: String(job) }, isUsable ? [job] : seen);
          if (!isUsable) unusable.push(await processes(viewer, { job: String(job) }));
          expect((await processes(viewer, { job: String(job) })).notices).toHaveLength(isUsable ? 0 : 1);
          const clock = (await processes(viewer)).jobs.find((one) => one.id === job)?.clock_offset;
          expect(clock).toBe(isUsable ? ahead[nth] : undefined);
        }
        const missing = await processes(viewer, { job: '2000000000' });
        expect(unusable).toEqual(unusable.map(() => missing));
      }
      // Entity 7 is a computer that no process ran on; one that is not in the case is not there.
      const pruned = await processes(mine, { entity_id: String(ids[7]) });
      expect(pruned.forest).toMatchObject({ roots: [], stats: { matched: 0, source_processes: 2 } });
      const dropped = await processes(mine, { entity_id: String(ids[7]), job: String(jobIds[0]) });
      expect([dropped.anchor_dropped, dropped.forest!.roots.length, dropped.relationships]).toEqual([true, 1, null]);
      const related = await processes(mine, { entity_id: String(ids[7]), job: String(jobIds[2]) });
      expect(related.relationships!.map(({ rel_type: type }): string => type).toSorted(byText)).toEqual([
        'parent_of',
        'runs_as',
      ]);
      for (const entity of [ids[outside]!, 2_000_000_000])
        await expect(processes(mine, { entity_id: String(entity) })).rejects.toMatchObject({ code: 'not_found' });
      await expect(processes(yours)).rejects.toMatchObject({ code: 'case_not_found' });
    });
  });
}

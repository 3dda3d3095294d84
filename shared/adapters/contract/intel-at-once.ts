import { deleteOne } from '@svc/application/jobs/delete-job.ts';
import { storeIntel, storeMany } from '@svc/application/intel/store-intel.ts';
import { taskIntelOf } from '@svc/application/intel/task-intel.ts';
import { uniteIntel } from '@svc/application/intel/unite-intel.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { entityTypes, type Suppression } from '@svc/domain';
import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Database } from '../postgres/database.ts';
import { entity, intel, intelFixture, plain } from './intel-fixture.ts';
import { at } from './job-fixture.ts';
import type { Runs } from './runs.ts';

const suppressing = async (ports: Ports): Promise<Suppression> => {
  const one = { ruleId: 'one', ruleName: 'One', conditions: [], reason: 'ordinary here', isPrivate: false };
  const id = await ports.suppressions.add({ ...one, caseId: null, authorId: null, createdAt: at, expiresAt: null });
  return (await ports.suppressions.get(id))!;
};

/** What jobs name while two processes store, mark and remove it; `make` gives their ports and their database. */
export function intelAtOnceContract(
  make: () => Promise<readonly [Ports, Ports]>,
  database: () => Database,
  runs: Runs,
): void {
  describe('what jobs name', () => {
    const { processes, endedAs, rows, all, wrong } = intelFixture(make, database);
    const findingOf = async (jobId: number): Promise<number> =>
      (await rows<{ id: number }>(sql`select id from findings where job_id = ${jobId}`))[0]!.id;

    it('is counted rightly while jobs are stored, stored anew and removed in many places at once', async () => {
      const [ports, other] = processes();
      const values = ['alice', 'BOB', 'carol', 'ws1', 'ws2', '10.0.0.1', 'a\u{1F600}', 'a\uFFFD', 'a\u0000', 'z'];
      const found = fc
        .uniqueArray(fc.tuple(fc.constantFrom(...entityTypes), fc.constantFrom(...values)), {
          minLength: 1,
          maxLength: 12,
          selector: ([type, value]) => `${type} ${value}`,
        })
        .chain((named) =>
          fc
            .array(
              fc.tuple(fc.nat(named.length - 1), fc.nat(named.length - 1), fc.constantFrom('runs_as', 'creates')),
              {
                maxLength: 8,
              },
            )
            .map((edges) =>
              intel({
                entities: named.map(([type, value], place) => entity(type, value, place + 1)),
                findings: [{ rule: 0, entities: [0] }],
                relationships: edges.map(([source, target, type], count) => ({
                  type: type as 'runs_as',
                  source,
                  target,
                  count: count + 1,
                  failed: 0,
                  observedFrom: null,
                  observedTo: null,
                  samples: [],
                })),
              }),
            ),
        );
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(found, found, fc.constantFrom('stays', 'restarts', 'goes'), fc.array(fc.boolean())), {
            minLength: 10,
            maxLength: 10,
          }),
          async (jobs) => {
            const suppression = await suppressing(ports);
            const ids: number[] = [];
            const findings: number[] = [];
            for (const [place, [one]] of jobs.entries()) {
              ids.push(await endedAs({ isPrivate: place % 3 === 0 }, [one]));
              findings.push(await findingOf(ids[place]!));
            }
            const inBatches = async () => {
              await Promise.all([storeMany(ports, ids), storeMany(other, ids.toReversed())]);
              await storeMany(other, ids.slice(3, 7));
            };
            await Promise.all([
              inBatches(),
              ...jobs.map(async ([, again, end, marks], place) => {
                const id = ids[place]!;
                const findingId = findings[place]!;
                const by = place % 2 === 0 ? ports : other;
                await storeIntel(by, id);
                await by.transaction(async (tx) => {
                  await tx.jobs.hold([id]);
                  const united = uniteIntel([taskIntelOf(again, [findingId])]);
                  await tx.intel.replace([{ jobId: id, intel: united, at, isLocal: false }], plain);
                });
                for (const isSuppressed of marks)
                  await by.transaction(async (tx) => {
                    await tx.jobs.hold([id]);
                    await tx.suppressedFindings.mark(findingId, isSuppressed ? [{ suppression, events: 1 }] : []);
                    await tx.suppressedFindings.noteEntities([findingId]);
                  });
                if (end === 'goes') await deleteOne(by, id, null);
                if (end === 'restarts')
                  await by.transaction(async (tx) => {
                    await tx.jobs.hold([id]);
                    await tx.results.remove(id);
                  });
              }),
            ]);
            expect(await wrong()).toEqual([]);
            for (const id of ids) await deleteOne(ports, id, null);
            expect(await all()).toEqual([]);
          },
        ),
        { numRuns: runs(5), endOnFailure: true },
      );
    });
  });
}

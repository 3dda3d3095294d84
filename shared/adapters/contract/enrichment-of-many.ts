import {
  bulkEnrich,
  cancelEnrichmentRun,
  enrichCase,
  getEnrichmentRun,
  listCaseEnrichment,
} from '@svc/application/intel/enrichment/enrich-many.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { runBackgroundTask } from '@svc/application/work/run-background-task.ts';
import type { Actor } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { linkEntities } from '../testing/link-entities.ts';
import { enrichmentFixture, minute } from './enrichment-fixture.ts';
import { at } from './job-fixture.ts';

/** Of those that a case has many of. */
const hostOf = (nth: number) => `host-${nth}.example`;

/** Look-ups of many entities, as background tasks; `make` gives empty repositories with workflows, before each test. */
export function enrichmentOfManyContract(make: () => Promise<Ports>): void {
  describe('enrichment of many', () => {
    const { now, opened, job, entity, naming, state, service } = enrichmentFixture(make);

    /** Entities of a case, as many as it has and services cover. */
    async function caseOf(many: number): Promise<{ id: number; ids: readonly number[] }> {
      const jobId = await naming([8], {}, 0);
      await state.ports.transaction(async (tx) => {
        await tx.jobs.hold([jobId]);
        const entities = Array.from({ length: many }, (_, nth) => ({
          type: 'domain' as const,
          value: hostOf(nth),
          count: 1,
        }));
        const intel = { entities, findings: [], relationships: [], threats: [] };
        const plain = { version: 1, describe: () => ({ attributes: null, keys: [] }) };
        await tx.intel.replace([{ jobId, intel, at, isLocal: false }], plain);
      });
      const ids: number[] = [];
      for (let nth = 0; nth < many; nth += 1)
        ids.push((await state.ports.entities.find({ type: 'domain', value: hostOf(nth) }))!);
      const id = await opened();
      await linkEntities(state.ports, id, ids, { by: null, at });
      return { id, ids };
    }

    /** Has tasks done as a worker does, and lets the time pass that they wait. */
    async function work(taskId: number, stop = new AbortController().signal): Promise<void> {
      for (;;) {
        const how = await runBackgroundTask(state.ports, { kind: 'bulk_enrich', taskId, targetId: 0 }, stop);
        if (how === undefined) return;
        state.time += how.waitSeconds * 1000;
      }
    }

    it('looks 1,000 entities of a case up within the limit of a service, each once, whatever ends in the middle', async () => {
      const rate = 100;
      const { id: serviceId } = await service({ per_minute: rate });
      const { id: caseId, ids } = await caseOf(1000);
      const { runs } = await enrichCase(state.ports, now().ada, { id: caseId, service_id: null });
      expect(runs).toMatchObject([{ service_id: serviceId, status: 'pending', total: 1000, done: 0 }]);
      expect((await enrichCase(state.ports, now().ada, { id: caseId, service_id: serviceId })).runs).toMatchObject([
        { id: runs[0]!.id },
      ]);
      const task = (await state.ports.backgroundTasks.latest('bulk_enrich', runs[0]!.id))!;
      const stopping = new AbortController();
      state.answer = (_request, response) => {
        if (state.seen.length === 250) stopping.abort(new Error('the process ends'));
        response.end('{"hits":1}');
      };
      await expect(work(task.id, stopping.signal)).rejects.toThrow('the process ends');
      await work(task.id);
      expect(state.seen).toHaveLength(1000);
      expect(new Set(state.seen.map(({ url }) => url)).size).toBe(1000);
      const windows = new Map<number, number>();
      for (const one of state.seen) {
        const window = Math.floor((one.at - state.seen[0]!.at) / minute);
        windows.set(window, (windows.get(window) ?? 0) + 1);
      }
      expect(Math.max(...windows.values())).toBe(rate);
      expect(await listCaseEnrichment(state.ports, now().ada, { id: caseId })).toMatchObject({
        runs: [{ status: 'completed', done: 1000 }],
        services: [{ id: serviceId }],
      });
      expect((await state.ports.enrichmentResults.fresh(serviceId, ids, new Date(state.time))).size).toBe(1000);
      // All that is fresh costs nothing.
      const again = (await enrichCase(state.ports, now().ada, { id: caseId, service_id: null })).runs[0]!;
      await work((await state.ports.backgroundTasks.latest('bulk_enrich', again.id))!.id);
      expect(state.seen).toHaveLength(1000);
    }, 180_000);

    it('goes no further when it is cancelled, nor when its service fails and fails', async () => {
      const { id: serviceId } = await service();
      const { ids } = await caseOf(30);
      const begun = async () =>
        (await bulkEnrich(state.ports, now().ada, { ids: [...ids], service_id: serviceId })).runs[0]!;
      const taskOf = async (id: number) => (await state.ports.backgroundTasks.latest('bulk_enrich', id))!.id;
      const first = await begun();
      state.answer = (_request, response) => {
        if (state.seen.length === 3)
          void cancelEnrichmentRun(state.ports, now().ada, { id: first.id }).then(() => response.end('{}'));
        else response.end('{}');
      };
      await work(await taskOf(first.id));
      expect(state.seen).toHaveLength(3);
      expect(await getEnrichmentRun(state.ports, now().ada, { id: first.id })).toMatchObject({ status: 'cancelled' });
      await expect(getEnrichmentRun(state.ports, now().bea, { id: first.id })).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(cancelEnrichmentRun(state.ports, now().ada, { id: first.id })).rejects.toMatchObject({
        code: 'conflict',
      });
      state.answer = (_request, response) => response.writeHead(503).end();
      const second = await begun();
      await work(await taskOf(second.id));
      const ended = await getEnrichmentRun(state.ports, now().root, { id: second.id });
      expect(ended).toMatchObject({ status: 'failed', detail: 'Own has failed 8 times in a row, last with http_503' });
      expect(state.seen).toHaveLength(3 + 8);
    });

    it('leaves out of a case what is of a private network, and tells nobody of a case that they do not see', async () => {
      await service({ entity_types: 'ip_address,domain' });
      const id = await opened();
      await job([3, 8]);
      await linkEntities(state.ports, id, [await entity(3), await entity(8)], { by: null, at });
      expect((await enrichCase(state.ports, now().ada, { id, service_id: null })).runs).toMatchObject([{ total: 1 }]);
      const stranger: Actor = now().eve;
      await expect(enrichCase(state.ports, stranger, { id, service_id: null })).rejects.toMatchObject({
        code: 'case_not_found',
      });
      await expect(listCaseEnrichment(state.ports, stranger, { id })).rejects.toMatchObject({ code: 'case_not_found' });
    });
  });
}

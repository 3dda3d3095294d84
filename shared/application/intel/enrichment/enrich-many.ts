import type { EnrichmentRun as ShownRun, InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, counted, enrichmentLimits, hasRole, notFound, type Actor } from '@svc/domain';
import { signedIn } from '../../auth/signed-in.ts';
import { visibleCase } from '../../cases/visible-case.ts';
import type { Ports } from '../../ports/ports.ts';
import type { BackgroundTask } from '../../work/background-task-repository.ts';
import { requestBackgroundTask, type RequestPorts } from '../../work/request-background-task.ts';
import { askService, pauseOf, type AskPorts } from './ask-service.ts';
import type { EnrichmentRun } from './enrichment-runs.ts';
import type { EnrichmentService } from './enrichment-services.ts';

type RunPorts = Pick<Ports, 'backgroundTasks' | 'cases' | 'clock' | 'enrichmentRuns' | 'enrichmentServices'>;
type BeginPorts = RequestPorts & RunPorts;
export type RunEnrichmentPorts = AskPorts & Pick<Ports, 'backgroundTasks' | 'enrichmentRuns' | 'entities'>;

const kind = 'bulk_enrich';
/** What is left after this is done by another turn, so that others have theirs; and fresh answers looked for at once. */
const [mostMs, atOnce] = [120_000, 500];
/** Longest wait before it is looked again whether somebody may be asked; after so many failures a run ends. */
const [longestWait, mostFailures] = [300, 8];

/** Has a service asked about some entities; those that are gone, or not of its kinds, are left out. */
export async function bulkEnrich(
  ports: BeginPorts,
  actor: Actor,
  { ids, service_id: serviceId }: InputOf<typeof operations.bulkEnrich>,
): Promise<OutputOf<typeof operations.bulkEnrich>> {
  const service = await askableOne(ports, serviceId);
  return { runs: [await begin(ports, actor, { service, entityIds: [...new Set(ids)], caseId: null })] };
}

/** Has one service, or each, asked about the entities of a case. */
export async function enrichCase(
  ports: BeginPorts,
  actor: Actor,
  { id: caseId, service_id: serviceId }: InputOf<typeof operations.enrichCase>,
): Promise<OutputOf<typeof operations.enrichCase>> {
  await visibleCase(ports, actor, caseId);
  const services = serviceId === null ? await askable(ports) : [await askableOne(ports, serviceId)];
  const last = await ports.enrichmentRuns.lastOf(caseId);
  const runs: ShownRun[] = [];
  for (const service of services) {
    const before = last.find((run) => run.serviceId === service.id);
    const task = before && (await ports.backgroundTasks.latest(kind, before.id));
    const entityIds = await ports.enrichmentRuns.entitiesOf(caseId, service.entityTypes, enrichmentLimits.ofCase);
    if (before && task && task.finishedAt === null) runs.push(present(before, task, service));
    else if (entityIds.length > 0) runs.push(await begin(ports, actor, { service, entityIds, caseId }));
  }
  return { runs };
}

/** The last look-up of each service about a case, and the services that could be asked. */
export async function listCaseEnrichment(
  ports: RunPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.listCaseEnrichment>,
): Promise<OutputOf<typeof operations.listCaseEnrichment>> {
  await visibleCase(ports, actor, id);
  const [last, services] = await Promise.all([ports.enrichmentRuns.lastOf(id), askable(ports)]);
  const runs: ShownRun[] = [];
  for (const service of services) {
    const run = last.find((one) => one.serviceId === service.id);
    if (run) runs.push(present(run, await ports.backgroundTasks.latest(kind, run.id), service));
  }
  return { runs, services: services.map(({ id: serviceId, name }) => ({ id: serviceId, name })) };
}

export async function getEnrichmentRun(
  ports: RunPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.getEnrichmentRun>,
): Promise<ShownRun> {
  const { run, service } = await visibleRun(ports, actor, id);
  return present(run, await ports.backgroundTasks.latest(kind, id), service);
}

/** Has a look-up go no further; what it has found stays. */
export async function cancelEnrichmentRun(
  ports: RunPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.cancelEnrichmentRun>,
): Promise<ShownRun> {
  const { run, service } = await visibleRun(ports, actor, id);
  const task = await ports.backgroundTasks.latest(kind, id);
  const cancelled = task && (await ports.backgroundTasks.cancel(task.id, ports.clock.now()));
  if (!cancelled) throw new AppError('conflict', 'The look-up has ended already');
  return present(run, cancelled, service);
}

/**
 * What the task of a look-up does, from the entity on at which an earlier turn has ended: asks about each of which there
 * is no fresh answer, as fast as the service's limit allows. Seconds to wait where that is reached; null when others
 * are to have a turn.
 */
export async function runEnrichment(
  ports: RunEnrichmentPorts,
  { id: taskId, targetId, cursor }: BackgroundTask,
  stop: AbortSignal,
): Promise<string | { readonly waitSeconds: number } | null> {
  const run = await ports.enrichmentRuns.get(targetId ?? 0);
  if (run === null) return 'its service, or its case, has gone';
  const { entityIds, serviceId } = run;
  const startedAt = ports.clock.now().getTime();
  let done = cursor ?? 0;
  let fresh: ReadonlySet<number> = new Set();
  const isWanted = (detail: string): Promise<boolean> =>
    ports.backgroundTasks.progress(taskId, { cursor: done, detail }, ports.clock.now());
  for (let step = 0; done < entityIds.length; step += 1) {
    stop.throwIfAborted();
    if (ports.clock.now().getTime() - startedAt > mostMs) return null;
    if (step % atOnce === 0) {
      const next = entityIds.slice(done, done + atOnce);
      fresh = await ports.enrichmentResults.fresh(serviceId, next, ports.clock.now());
    }
    const entityId = entityIds[done]!;
    const isKnown = fresh.has(entityId);
    const asking = isKnown ? null : await ask(ports, run, entityId);
    const detail = `${done} of ${counted(entityIds.length, 'entity', 'entities')}`;
    if (asking === 'off') return `${detail}, then the service was switched off`;
    if (asking !== null) {
      await isWanted(`${detail}, waits for the service`);
      return asking;
    }
    done += 1;
    if (isKnown && done % 50 !== 0 && done < entityIds.length) continue;
    if (!(await isWanted(`${done} of ${counted(entityIds.length, 'entity', 'entities')}`))) return detail;
  }
  return `${counted(entityIds.length, 'entity', 'entities')} looked up`;
}

/** Null where that is done, as far as it can be. Throws when the service fails and fails. */
async function ask(
  ports: RunEnrichmentPorts,
  { serviceId }: EnrichmentRun,
  entityId: number,
): Promise<{ readonly waitSeconds: number } | 'off' | null> {
  const service = await ports.enrichmentServices.get(serviceId);
  if (service === null || !service.enabled || service.apiTemplate === null) return 'off';
  const { failures, lastError } = service.circuit;
  if (failures >= mostFailures && pauseOf(service, ports.clock.now()) !== null) {
    throw new Error(`${service.name} has failed ${failures} times in a row, last with ${lastError ?? 'an error'}`);
  }
  const entity = await ports.entities.get(entityId);
  if (entity === null || !service.entityTypes.includes(entity.type)) return null;
  const asking = await askService(ports, service, entity);
  return asking.how === 'asked' ? null : { waitSeconds: Math.min(longestWait, asking.waitSeconds) };
}

async function begin(
  ports: BeginPorts,
  actor: Actor,
  of: { readonly service: EnrichmentService; readonly entityIds: readonly number[]; readonly caseId: number | null },
): Promise<ShownRun> {
  const { userId, email } = signedIn(actor);
  const { service, entityIds, caseId } = of;
  const asked = { serviceId: service.id, caseId, requestedBy: userId, entityIds, createdAt: ports.clock.now() };
  const id = await ports.enrichmentRuns.add(asked);
  await requestBackgroundTask(ports, { kind, targetId: id, requestedBy: email });
  return present({ ...asked, id }, await ports.backgroundTasks.latest(kind, id), service);
}

async function askable({ enrichmentServices }: RunPorts): Promise<readonly EnrichmentService[]> {
  return (await enrichmentServices.all()).filter(({ enabled, apiTemplate }) => enabled && apiTemplate !== null);
}

async function askableOne({ enrichmentServices }: RunPorts, id: number): Promise<EnrichmentService> {
  const service = await enrichmentServices.get(id);
  if (service === null) throw notFound('service');
  if (!service.enabled) throw new AppError('bad_request', 'The service is switched off');
  if (service.apiTemplate === null) throw new AppError('bad_request', 'The service has no address to ask');
  return service;
}

/** Of a case, whoever sees that; else who asked for it, and administrators. */
async function visibleRun(
  ports: RunPorts,
  actor: Actor,
  id: number,
): Promise<{ readonly run: EnrichmentRun; readonly service: EnrichmentService }> {
  const run = await ports.enrichmentRuns.get(id);
  const service = run && (await ports.enrichmentServices.get(run.serviceId));
  if (!run || !service) throw notFound('look-up');
  if (run.caseId !== null) await visibleCase(ports, actor, run.caseId).catch(() => Promise.reject(notFound('look-up')));
  else if (run.requestedBy !== signedIn(actor).userId && !hasRole(actor, 'admin')) throw notFound('look-up');
  return { run, service };
}

function present(run: EnrichmentRun, task: BackgroundTask | null, { name }: EnrichmentService): ShownRun {
  const total = run.entityIds.length;
  const { status = 'completed', cursor = total } = task ?? {};
  return {
    id: run.id,
    service_id: run.serviceId,
    service: name,
    // Tasks that have ended are forgotten in time.
    status,
    total,
    done: status === 'completed' ? total : (cursor ?? 0),
    detail: task?.errorMessage ?? task?.detail ?? null,
    created_at: run.createdAt.toISOString(),
  };
}

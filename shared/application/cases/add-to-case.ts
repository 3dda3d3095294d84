import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { canView, caseLimits, notFound, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import type { NewCaseLinks } from './case-links.ts';
import { heldCase } from './held-case.ts';

type AddPorts = Pick<Ports, 'clock' | 'transaction'>;

/** What comes into a case. */
interface Things {
  readonly entities: readonly number[];
  readonly jobs: readonly number[];
}

type Links = Pick<NewCaseLinks, 'by' | 'at' | 'note'>;

/** Puts an entity into a case that the actor sees. */
export async function addCaseEntity(
  ports: AddPorts,
  actor: Actor,
  { id, entity_id: entity, note }: InputOf<typeof operations.addCaseEntity>,
): Promise<OutputOf<typeof operations.addCaseEntity>> {
  const { added } = await add(ports, actor, { id, entities: [entity], jobs: [], withEntities: false, note });
  return { added };
}

/** Puts entities into a case, or none of them. */
export async function addCaseEntities(
  ports: AddPorts,
  actor: Actor,
  { id, entity_ids: entities, note }: InputOf<typeof operations.addCaseEntities>,
): Promise<OutputOf<typeof operations.addCaseEntities>> {
  const { added } = await add(ports, actor, { id, entities, jobs: [], withEntities: false, note });
  return { added };
}

/** Puts a visible job into a case, with what it names if wanted. */
export function addCaseJob(
  ports: AddPorts,
  actor: Actor,
  { id, job_id: job, include_entities: withEntities, note }: InputOf<typeof operations.addCaseJob>,
): Promise<OutputOf<typeof operations.addCaseJob>> {
  return add(ports, actor, { id, entities: [], jobs: [job], withEntities, note });
}

/** Puts visible jobs into a case, or none of them. */
export function addCaseJobs(
  ports: AddPorts,
  actor: Actor,
  { id, job_ids: jobs, include_entities: withEntities, note }: InputOf<typeof operations.addCaseJobs>,
): Promise<OutputOf<typeof operations.addCaseJobs>> {
  return add(ports, actor, { id, entities: [], jobs, withEntities, note });
}

/** Puts what a job of the case names into it, so many at once. */
export async function addCaseJobEntities(
  { clock, transaction }: AddPorts,
  actor: Actor,
  { id, job_id: job }: InputOf<typeof operations.addCaseJobEntities>,
): Promise<OutputOf<typeof operations.addCaseJobEntities>> {
  const links = { by: signedIn(actor).userId, at: clock.now(), note: null };
  return transaction(async (tx) => {
    const { jobs } = await hold(tx, actor, { entities: [], jobs: [job] });
    const entities = await holdMissing(tx, id, jobs);
    await heldCase(tx, actor, id, 'view');
    if (jobs.length === 0 || (await tx.caseLinks.get(id, { kind: 'job', id: job })) === null) throw notFound('job');
    return addEntities(tx, id, jobs, entities, links);
  });
}

interface Wanted extends Things {
  readonly id: number;
  readonly withEntities: boolean;
  readonly note: string;
}

function add(
  { clock, transaction }: AddPorts,
  actor: Actor,
  { id, note, withEntities, ...things }: Wanted,
): Promise<OutputOf<typeof operations.addCaseJob>> {
  const links = { by: signedIn(actor).userId, at: clock.now(), note: note === '' ? null : note };
  return transaction(async (tx) => {
    // First what is put in, then the case, as all do that need both; who does not see the case learns nothing of the rest.
    const held = await hold(tx, actor, things);
    const named = withEntities ? await holdMissing(tx, id, held.jobs) : [];
    await heldCase(tx, actor, id, 'view');
    if (held.jobs.length < new Set(things.jobs).size) throw notFound('job');
    if (held.entities.length < new Set(things.entities).size) throw notFound('entity');
    return addToCase(tx, id, { ...things, withEntities, named }, links);
  });
}

/** Locks what there is of these and, of the jobs, the actor sees. */
export async function hold(tx: TransactionPorts, actor: Actor, { entities, jobs }: Things): Promise<Things> {
  const seen: number[] = [];
  for (const { id } of await tx.jobs.hold(jobs)) {
    const record = await tx.jobs.get(id);
    if (record !== null && canView(record.job, actor)) seen.push(id);
  }
  return { jobs: seen, entities: entities.length === 0 ? [] : await tx.entities.hold(entities) };
}

/** Locks what of these jobs comes into the case next. */
async function holdMissing(tx: TransactionPorts, caseId: number, jobs: readonly number[]): Promise<readonly number[]> {
  if (jobs.length === 0) return [];
  const { entityIds } = await tx.caseLinks.missing(caseId, jobs, caseLimits.jobEntitiesAtOnce);
  return entityIds.length === 0 ? [] : tx.entities.hold(entityIds);
}

/** Puts locked jobs and entities into a locked case, and what the jobs name if wanted. */
export async function addToCase(
  tx: TransactionPorts,
  caseId: number,
  {
    entities,
    jobs,
    withEntities,
    named,
  }: Things & { readonly withEntities: boolean; readonly named?: readonly number[] },
  links: Links,
): Promise<OutputOf<typeof operations.addCaseJob>> {
  const added =
    (entities.length === 0 ? 0 : await tx.caseLinks.add(caseId, { ...links, kind: 'entity', ids: entities })) +
    (jobs.length === 0 ? 0 : await tx.caseLinks.add(caseId, { ...links, kind: 'job', ids: jobs }));
  if (jobs.length > 0) await tx.suppressedFindings.reopen(caseId);
  if (!withEntities || jobs.length === 0) return { added, entities_added: 0, entities_remaining: 0 };
  const given = named ?? (await holdMissing(tx, caseId, jobs));
  const { added: more, remaining } = await addEntities(tx, caseId, jobs, given, { ...links, note: null });
  return { added, entities_added: more, entities_remaining: remaining };
}

async function addEntities(
  tx: TransactionPorts,
  caseId: number,
  jobs: readonly number[],
  ids: readonly number[],
  links: Links,
): Promise<{ added: number; remaining: number }> {
  const added = ids.length === 0 ? 0 : await tx.caseLinks.add(caseId, { ...links, kind: 'entity', ids });
  const { total: remaining } = await tx.caseLinks.missing(caseId, jobs, 0);
  return { added, remaining };
}

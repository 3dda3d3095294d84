import type { CreatedCase, InputOf, operations } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { tell } from '../happenings/tell.ts';
import type { Ports } from '../ports/ports.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import { addToCase, hold } from './add-to-case.ts';
import type { NewCase } from './case-repository.ts';

type OpenPorts = Pick<Ports, 'clock' | 'transaction'>;

/** Opens a case of the actor’s. */
export async function openCase(
  { clock, transaction }: OpenPorts,
  actor: Actor,
  { name, summary, severity, is_shared: isShared }: InputOf<typeof operations.openCase>,
): Promise<CreatedCase> {
  const { userId: ownerId } = signedIn(actor);
  const wanted = { name, summary: summary === '' ? null : summary, severity, ownerId, isShared, at: clock.now() };
  return created(await transaction((tx) => made(tx, wanted)));
}

/** Opens a case with what it is about in it; nothing is made when that is gone or not visible (resolved-intel 16.3). */
export async function quickCreateCase(
  { clock, transaction }: OpenPorts,
  actor: Actor,
  input: InputOf<typeof operations.quickCreateCase>,
): Promise<CreatedCase> {
  const { userId: ownerId } = signedIn(actor);
  const at = clock.now();
  const entities = input.entity_id === null ? [] : [input.entity_id];
  const jobs = input.job_id === null ? [] : [input.job_id];
  const id = await transaction(async (tx) => {
    const held = await hold(tx, actor, { entities, jobs });
    if (held.jobs.length < jobs.length) throw notFound('job');
    if (held.entities.length < entities.length) throw notFound('entity');
    const caseId = await made(tx, { name: input.name, ownerId, isShared: false, at });
    const links = { by: ownerId, at, note: input.note === '' ? null : input.note };
    await addToCase(tx, caseId, { entities, jobs, withEntities: input.include_job_entities }, links);
    return caseId;
  });
  return created(id);
}

/** Makes a case and tells of it. */
export async function made(tx: TransactionPorts, wanted: NewCase): Promise<number> {
  const { id } = await tx.cases.create(wanted);
  await tell(tx, { kind: 'case_created', subject: { kind: 'case', id }, by: wanted.ownerId, at: wanted.at });
  return id;
}

export function created(id: number): CreatedCase {
  return { case_id: id, case_url: `/intel/cases/${id}` };
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, canNoteLink, canView, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import type { CaseTarget } from './case-links.ts';
import { heldCase } from './held-case.ts';

type LinkPorts = Pick<Ports, 'clock' | 'transaction'>;

/** Writes why an entity is in a case. */
export function noteCaseEntity(
  ports: LinkPorts,
  actor: Actor,
  { id, entity_id: entity, note }: InputOf<typeof operations.noteCaseEntity>,
): Promise<OutputOf<typeof operations.noteCaseEntity>> {
  return writeNote(ports, actor, id, { kind: 'entity', id: entity }, note);
}

/** Writes why a job that the actor sees is in a case. */
export function noteCaseJob(
  ports: LinkPorts,
  actor: Actor,
  { id, job_id: job, note }: InputOf<typeof operations.noteCaseJob>,
): Promise<OutputOf<typeof operations.noteCaseJob>> {
  return writeNote(ports, actor, id, { kind: 'job', id: job }, note);
}

/** Takes an entity out of a case. */
export function removeCaseEntity(
  ports: LinkPorts,
  actor: Actor,
  { id, entity_id: entity }: InputOf<typeof operations.removeCaseEntity>,
): Promise<void> {
  return remove(ports, actor, id, { kind: 'entity', ids: [entity] });
}

/** Takes entities out of a case. */
export function removeCaseEntities(
  ports: LinkPorts,
  actor: Actor,
  { id, entity_ids: ids }: InputOf<typeof operations.removeCaseEntities>,
): Promise<void> {
  return remove(ports, actor, id, { kind: 'entity', ids });
}

/** Takes a job out of a case; of one that the actor does not see nobody learns whether it was in it. */
export function removeCaseJob(
  ports: LinkPorts,
  actor: Actor,
  { id, job_id: job }: InputOf<typeof operations.removeCaseJob>,
): Promise<void> {
  return remove(ports, actor, id, { kind: 'job', ids: [job] });
}

function writeNote(
  { clock, transaction }: LinkPorts,
  actor: Actor,
  caseId: number,
  target: CaseTarget,
  note: string,
): Promise<{ note: string | null }> {
  return transaction(async (tx) => {
    const found = await heldCase(tx, actor, caseId, 'view');
    const link = (await isSeen(tx, actor, target)) ? await tx.caseLinks.get(caseId, target) : null;
    if (link === null) throw notFound(target.kind);
    if (!canNoteLink(found, link, actor)) {
      throw new AppError('forbidden', 'Only who has added it and those who may change the case write its note');
    }
    const text = note === '' ? null : note;
    await tx.caseLinks.note(caseId, target, { note: text, at: clock.now() });
    return { note: text };
  });
}

function remove(
  { clock, transaction }: LinkPorts,
  actor: Actor,
  caseId: number,
  { kind, ids }: { readonly kind: CaseTarget['kind']; readonly ids: readonly number[] },
): Promise<void> {
  return transaction(async (tx) => {
    await heldCase(tx, actor, caseId, 'edit');
    const seen: number[] = [];
    for (const id of ids) if (await isSeen(tx, actor, { kind, id })) seen.push(id);
    if (seen.length > 0) await tx.caseLinks.remove(caseId, { kind, ids: seen, at: clock.now() });
  });
}

/** Whether the actor may know of it: private jobs of others are not there. */
async function isSeen(tx: TransactionPorts, actor: Actor, { kind, id }: CaseTarget): Promise<boolean> {
  if (kind === 'entity') return true;
  const record = await tx.jobs.get(id);
  return record !== null && canView(record.job, actor);
}

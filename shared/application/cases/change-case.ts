import type { CaseDetails, InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, caseLimits, notFound, type Actor, type Case } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { mayWork, namesOf } from './case-members.ts';
import type { CaseChanges } from './case-repository.ts';
import { getCase } from './get-case.ts';
import { heldCase } from './held-case.ts';

type ChangePorts = Pick<Ports, 'accounts' | 'cases' | 'clock' | 'comments' | 'settings' | 'transaction'>;

/** Changes what a case is called, its summary or its severity. */
export async function editCase(
  ports: ChangePorts,
  actor: Actor,
  { id, name, summary, severity }: InputOf<typeof operations.editCase>,
): Promise<CaseDetails> {
  const changes: CaseChanges = {
    ...(name !== undefined && { name }),
    ...(summary !== undefined && { summary: summary === '' ? null : summary }),
    ...(severity !== undefined && { severity }),
  };
  await changeHeld(ports, actor, id, { deed: 'edit', changes: () => changes });
  return getCase(ports, actor, { id });
}

/** Closes a case or opens it again, or shares it; who sees it is for its owner to say. */
export async function changeCaseStatus(
  ports: ChangePorts,
  actor: Actor,
  { id, status, is_shared: isShared }: InputOf<typeof operations.changeCaseStatus>,
): Promise<CaseDetails> {
  const { clock } = ports;
  await changeHeld(ports, actor, id, {
    deed: isShared === undefined ? 'edit' : 'manage',
    changes: (found) => ({
      ...(status !== undefined &&
        status !== found.status && { status, closedAt: status === 'closed' ? clock.now() : null }),
      ...(isShared !== undefined && { isShared }),
    }),
  });
  return getCase(ports, actor, { id });
}

/**
 * Writes the narrative of a case. Throws `note_conflict` when it is to take the place of another than the one that is
 * there: somebody has saved in between (resolved-intel 24).
 */
export function writeCaseNarrative(
  { clock, transaction }: ChangePorts,
  actor: Actor,
  { id, body, if_version: expected }: InputOf<typeof operations.writeCaseNarrative>,
): Promise<OutputOf<typeof operations.writeCaseNarrative>> {
  return transaction(async (tx) => {
    const { narrative: before, narrativeVersion } = await heldCase(tx, actor, id, 'edit');
    if (expected !== undefined && expected !== narrativeVersion) {
      throw new AppError(
        'note_conflict',
        'Somebody has changed the narrative since you opened it; read theirs, then save yours',
      );
    }
    const narrative = body === '' ? null : body;
    if (narrative === before) return { narrative, narrative_version: narrativeVersion };
    const change = { by: signedIn(actor).userId, at: clock.now() };
    return { narrative, narrative_version: await tx.cases.writeNarrative(id, narrative, change) };
  });
}

/** Deletes a case, with all that is said in it; what it has links to stays. */
export function deleteCase(
  { transaction }: Pick<Ports, 'transaction'>,
  actor: Actor,
  { id }: InputOf<typeof operations.deleteCase>,
): Promise<void> {
  return transaction(async (tx) => {
    await heldCase(tx, actor, id, 'manage');
    await tx.cases.remove(id);
  });
}

/** Names an active member on a case. */
export function addCaseCollaborator(
  { clock, transaction }: ChangePorts,
  actor: Actor,
  { id, account_id: accountId }: InputOf<typeof operations.addCaseCollaborator>,
): Promise<OutputOf<typeof operations.addCaseCollaborator>> {
  return transaction(async (tx) => {
    const found = await heldCase(tx, actor, id, 'manage');
    const account = await tx.accounts.get(accountId);
    if (account === null || !mayWork(account)) throw notFound('member');
    const isNew = !found.collaboratorIds.includes(accountId) && accountId !== found.ownerId;
    if (isNew && found.collaboratorIds.length >= caseLimits.collaborators) {
      throw new AppError('too_many', `At most ${caseLimits.collaborators} members can be named on a case`);
    }
    if (isNew) await tx.cases.addCollaborator(id, accountId, { by: signedIn(actor).userId, at: clock.now() });
    return { collaborators: await namesOf(tx, isNew ? [...found.collaboratorIds, accountId] : found.collaboratorIds) };
  });
}

/** Takes somebody off a case; everybody may leave it. */
export function removeCaseCollaborator(
  { clock, transaction }: ChangePorts,
  actor: Actor,
  { id, account_id: accountId }: InputOf<typeof operations.removeCaseCollaborator>,
): Promise<OutputOf<typeof operations.removeCaseCollaborator>> {
  const isSelf = signedIn(actor).userId === accountId;
  return transaction(async (tx) => {
    const found = await heldCase(tx, actor, id, isSelf ? 'view' : 'manage');
    await tx.cases.removeCollaborator(id, accountId, clock.now());
    return {
      collaborators: await namesOf(
        tx,
        found.collaboratorIds.filter((one) => one !== accountId),
      ),
    };
  });
}

function changeHeld(
  { clock, transaction }: ChangePorts,
  actor: Actor,
  id: number,
  { deed, changes }: { readonly deed: 'edit' | 'manage'; readonly changes: (found: Case) => CaseChanges },
): Promise<void> {
  return transaction(async (tx) => {
    const wanted = changes(await heldCase(tx, actor, id, deed));
    if (Object.keys(wanted).length > 0) await tx.cases.change(id, wanted, clock.now());
  });
}

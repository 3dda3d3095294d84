import type { CreatedCase, InputOf, operations } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import { createHash } from 'node:crypto';
import type { NewCase } from '../ports/case-repository.ts';
import type { Ports } from '../ports/ports.ts';
import type { NewReceipt } from '../ports/receipt-repository.ts';
import { refuseInDemoMode } from '../submissions/admit-upload.ts';
import { checkKey } from '../submissions/receipts.ts';

type CasePorts = Pick<Ports, 'cases' | 'clock' | 'receipts' | 'settings'>;
/** `replayed` when the key of the request has led to the case before. */
type AnsweredCase = CreatedCase & { readonly replayed: boolean };

/** Creates a case; one whose key was received before is answered as it was then (resolved-platform 10.2). */
export async function createCase(
  ports: CasePorts,
  actor: Actor,
  { name, is_shared: isShared, idempotency_key: key }: InputOf<typeof operations.createCase>,
): Promise<AnsweredCase> {
  if (actor.kind === 'anonymous') throw new AppError('unauthenticated', 'Sign in first');
  await refuseInDemoMode(ports);
  checkKey(actor, key);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([name, isShared]))
    .digest('hex');
  const receipt = key === null ? null : { userId: actor.userId, key, fingerprint };
  const wanted = { name, ownerId: actor.userId, isShared, receipt, at: ports.clock.now() };
  try {
    return await createOnce(ports, wanted);
  } catch (error) {
    // Of two that come with one key at once, the later finds the receipt of the other.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    return createOnce(ports, wanted);
  }
}

async function createOnce(ports: CasePorts, wanted: NewCase): Promise<AnsweredCase> {
  const known = wanted.receipt && (await caseOfKey(ports, wanted.receipt));
  const id = known ?? (await ports.cases.create(wanted)).id;
  return { case_id: id, case_url: `/intel/cases/${id}`, replayed: known !== null };
}

/** The case that the key has led to; null when it is new. */
async function caseOfKey({ receipts }: CasePorts, { userId, key, fingerprint }: NewReceipt): Promise<number | null> {
  const receipt = await receipts.find(userId, 'case', key);
  if (!receipt) return null;
  if (receipt.fingerprint !== fingerprint) {
    throw new AppError('key_reused', 'This Idempotency-Key was used for a case with other options');
  }
  if (receipt.caseId === null) throw new AppError('case_gone', 'The case of this request was deleted');
  return receipt.caseId;
}

import type { CreatedCase, InputOf, operations } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import { createHash } from 'node:crypto';
import type { NewCase } from './case-repository.ts';
import type { Ports } from '../ports/ports.ts';
import type { NewReceipt } from '../submissions/receipt-repository.ts';
import { refuseInDemoMode } from '../submissions/admit-upload.ts';
import { checkKey } from '../submissions/receipts.ts';
import { created, made } from './open-case.ts';

type CasePorts = Pick<Ports, 'clock' | 'receipts' | 'settings' | 'transaction'>;
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
  const wanted = { receipt, name, ownerId: actor.userId, isShared, at: ports.clock.now() };
  try {
    return await createOnce(ports, wanted);
  } catch (error) {
    // Of two that come with one key at once, the later finds the receipt of the other.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    return createOnce(ports, wanted);
  }
}

interface WantedCase extends NewCase {
  /** Committed with the case. */
  readonly receipt: NewReceipt | null;
}

async function createOnce(ports: CasePorts, wanted: WantedCase): Promise<AnsweredCase> {
  const known = wanted.receipt && (await caseOfKey(ports, wanted.receipt));
  const id = known ?? (await makeCase(ports, wanted));
  return { ...created(id), replayed: known !== null };
}

/** Throws `conflict` when the receipt's key is taken. */
export function makeCase({ transaction }: Pick<Ports, 'transaction'>, wanted: WantedCase): Promise<number> {
  const { receipt, ...opened } = wanted;
  return transaction(async (tx) => {
    const id = await made(tx, opened);
    if (receipt) await tx.receipts.add('case', { ...receipt, jobId: null, caseId: id, reused: false });
    return id;
  });
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

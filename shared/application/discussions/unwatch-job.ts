import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';

/** Ends the actor's watch of a job, seen or not, and what they were told of it. */
export async function unwatchJob(
  { watches }: Pick<Ports, 'watches'>,
  actor: Actor,
  { id }: InputOf<typeof operations.unwatchJob>,
): Promise<OutputOf<typeof operations.unwatchJob>> {
  const { userId } = signedIn(actor);
  await watches.end(userId, id);
  return { watching: false };
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/**
 * Writes the note on an entity. Throws `note_conflict` when it is to take the place of another than the one that is
 * there: somebody has saved in between (resolved-intel 3.3).
 */
export function writeEntityNote(
  { clock, transaction }: Pick<Ports, 'clock' | 'transaction'>,
  actor: Actor,
  { id, body, if_updated_at: expected }: InputOf<typeof operations.writeEntityNote>,
): Promise<OutputOf<typeof operations.writeEntityNote>> {
  return transaction(async (tx) => {
    await tx.entities.hold([id]);
    const entity = await tx.entities.get(id);
    if (entity === null) throw notFound('entity');
    const known = entity.noteAt?.toISOString() ?? '';
    if (expected !== undefined && expected !== known) {
      throw new AppError(
        'note_conflict',
        'Somebody has changed the note since you opened it; read it, then save yours',
      );
    }
    // A later time than that of the one before, which two in one millisecond would share.
    const at = new Date(Math.max(clock.now().getTime(), (entity.noteAt?.getTime() ?? 0) + 1));
    const note = body === '' ? null : body;
    await tx.entities.writeNote(id, note, { by: actor.kind === 'account' ? actor.userId : null, at });
    return { notes: note, notes_updated_at: at.toISOString() };
  });
}

import { call, operations, type Entity } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';

/**
 * Writes the note on an entity in the place of the one that was read. Where somebody else has written one in between,
 * the service refuses it, and that one is fetched.
 */
export function useWriteNote({ id, notes_updated_at: readAt }: Pick<Entity, 'id' | 'notes_updated_at'>) {
  return useMutation({
    mutationFn: (body: string) => call(operations.writeEntityNote, { id, body, if_updated_at: readAt ?? '' }),
    onSettled: () => invalidate(queryKey(operations.getEntity, { id })),
  });
}

import { call, operations, type OutputOf, type Tag } from '@svc/contracts';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

export type ManagedTag = OutputOf<typeof operations.listTags>['tags'][number];

/** A page of the vocabulary; for members. */
export function vocabularyQuery(asked: {
  readonly q: string;
  readonly sort: 'name' | 'count' | 'recent';
  readonly page: number;
}) {
  return queryOptions({ ...operationQuery(operations.listTags, asked), placeholderData: keepPreviousData });
}

/** What is done to a tag everywhere. */
export const tagDeeds = {
  create: (wanted: { readonly name: string; readonly color: Tag['color']; readonly description: string }) =>
    call(operations.createTags, { tag: wanted.name, color: wanted.color, description: wanted.description }),
  rename: (tag: string, to: string) => call(operations.renameTag, { tag, new_tag: to, update_references: true }),
  merge: (tag: string, into: string) => call(operations.mergeTags, { tag, into, update_references: true }),
  recolor: (tag: string, color: Tag['color']) => call(operations.recolorTag, { tag, color }),
  delete: (tag: string) => call(operations.deleteTag, { tag }),
} as const;

/** Does something to the vocabulary; whatever shows tags reads them anew. */
export function useTagDeed<V, R>(deed: (value: V) => Promise<R>, onDone: (result: R) => void) {
  return useMutation({
    mutationFn: deed,
    onSuccess: async (result) => {
      await invalidate(queryKey(operations.listTags));
      void invalidate(
        ...[operations.suggestTags, operations.listEntities, operations.getEntity, operations.getIntel].map((read) =>
          queryKey(read),
        ),
        ...[operations.listJobs, operations.getJob, operations.listSavedSearches].map((read) => queryKey(read)),
      );
      onDone(result);
    },
  });
}

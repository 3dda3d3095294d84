import { call, operations, type RequestOf } from '@svc/contracts';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { callConfirmed } from './confirm-password.ts';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** AI providers, and what is used where one leaves something open. */
export const aiProvidersQuery = queryOptions(operationQuery(operations.listAiProviders, {}));

/** What administrators do to providers; whatever could send a token elsewhere may ask for the password. */
export const aiProviderDeeds = {
  create: (fields: RequestOf<typeof operations.createAiProvider>) => callConfirmed(operations.createAiProvider, fields),
  change: (fields: RequestOf<typeof operations.changeAiProvider>) => callConfirmed(operations.changeAiProvider, fields),
  toggle: (id: number) => call(operations.toggleAiProvider, { id }),
  makeDefault: (id: number) => call(operations.setDefaultAiProvider, { id }),
  clearToken: (id: number) => callConfirmed(operations.clearAiProviderToken, { id }),
  duplicate: (id: number) => callConfirmed(operations.duplicateAiProvider, { id }),
  remove: (id: number) => callConfirmed(operations.deleteAiProvider, { id }),
};

/** Has a provider say one word. */
export function testAiProvider(id: number) {
  return call(operations.testAiProvider, { id });
}

/** One of the deeds; what is shown of providers is read anew before `onDone`. */
export function useAiProviderDeed<V, R>(deed: (value: V) => Promise<R>, onDone: (result: R) => void = () => undefined) {
  return useMutation({
    mutationFn: deed,
    onSuccess: async (result) => {
      await invalidate(
        queryKey(operations.listAiProviders),
        queryKey(operations.listJobAiRuns),
        queryKey(operations.listCaseAiRuns),
      );
      onDone(result);
    },
  });
}

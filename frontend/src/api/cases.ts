import { operations } from '@svc/contracts';
import { queryOptions } from '@tanstack/react-query';
import { operationQuery } from './query-key.ts';

/** A case as its page opens it. */
export function caseQuery(id: number) {
  return queryOptions(operationQuery(operations.getCase, { id }));
}

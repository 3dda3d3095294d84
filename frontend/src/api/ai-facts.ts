import { operations } from '@svc/contracts';
import { queryOptions } from '@tanstack/react-query';
import type { AiSubject } from './ai-runs.ts';
import { operationQuery } from './query-key.ts';

const factsOf = { job: operations.getJobAiFacts, case: operations.getCaseAiFacts } as const;

/** What the answer of a run names, held against the evidence. */
export function aiFactsQuery({ kind, id }: AiSubject, rid: number) {
  return queryOptions(operationQuery(factsOf[kind], { id, rid }));
}

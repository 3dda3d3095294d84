import { call, operations, type CaseFindings, type RequestOf } from '@svc/contracts';
import type { Severity } from '@svc/domain';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** What of a case is looked at; what is not given is not narrowed. */
export interface CaseNarrowed {
  readonly job?: number | undefined;
  readonly severity?: readonly Severity[] | undefined;
}

function asked({ job, severity }: CaseNarrowed) {
  return { ...(job !== undefined && { job_id: job }), ...(severity !== undefined && { severity: severity.join(',') }) };
}

/** Hours and key events of a case. */
export function caseTimelineQuery(id: number, narrowed: CaseNarrowed = {}) {
  return queryOptions({ ...operationQuery(operations.getCaseTimeline, { id, ...asked(narrowed) }), retry: false });
}

/** Alerts of its jobs in a window of time, in milliseconds. */
export function caseEventsQuery(id: number, narrowed: CaseNarrowed & { readonly from?: number; readonly to?: number }) {
  const { from, to } = narrowed;
  const window = from !== undefined && to !== undefined && { frm: from, to };
  return queryOptions(operationQuery(operations.getCaseEvents, { id, ...asked(narrowed), ...window }));
}

/** Where the clocks of its logs disagree. */
export function clockHintsQuery(id: number) {
  return queryOptions(operationQuery(operations.getClockHints, { id }));
}

/** Hosts and accounts of its jobs. */
export function caseActorsQuery(id: number) {
  return queryOptions(operationQuery(operations.getCaseActors, { id }));
}

type FindingsAsked = Omit<RequestOf<typeof operations.listCaseFindings>, 'id' | 'cursor'>;

/** Findings of its jobs, page after page. */
export function caseFindingsQuery(id: number, narrowed: FindingsAsked) {
  return infiniteQueryOptions({
    queryKey: queryKey(operations.listCaseFindings, { id, ...narrowed }),
    queryFn: ({ pageParam, signal }) =>
      call(
        operations.listCaseFindings,
        { id, ...narrowed, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: CaseFindings) => next,
  });
}

/** Says how far the clock of a job's host was ahead, and has what shows its times read anew. */
export async function setClock(id: number, job: number, seconds: number): Promise<void> {
  await call(operations.setCaseClock, { id, job, clock_offset: seconds });
  const shown = [
    operations.getCaseTimeline,
    operations.getCaseEvents,
    operations.getClockHints,
    operations.getCaseActors,
    operations.listCaseFindings,
  ] as const;
  await invalidate(...shown.map((operation) => queryKey(operation, { id })));
}

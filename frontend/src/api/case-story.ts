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

function askedOf({ job, severity }: CaseNarrowed) {
  return { ...(job !== undefined && { job_id: job }), ...(severity !== undefined && { severity: severity.join(',') }) };
}

/** Hours and key events of a case. */
export function caseTimelineQuery(id: number, narrowed: CaseNarrowed = {}) {
  return queryOptions({ ...operationQuery(operations.getCaseTimeline, { id, ...askedOf(narrowed) }), retry: false });
}

/** Alerts of its jobs in a window of time, in milliseconds. */
export function caseEventsQuery(id: number, narrowed: CaseNarrowed & { readonly from?: number; readonly to?: number }) {
  const { from, to } = narrowed;
  const window = from !== undefined && to !== undefined && { frm: from, to };
  return queryOptions(operationQuery(operations.getCaseEvents, { id, ...askedOf(narrowed), ...window }));
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
    operations.getCaseProcessTree,
    operations.getCaseGraphActive,
  ] as const;
  await invalidate(...shown.map((operation) => queryKey(operation, { id })));
}

/** The processes of a host of a case, of all its jobs or of one. */
export function caseProcessesQuery(
  id: number,
  { host, job }: { readonly host: string | undefined; readonly job: number | undefined },
) {
  const asked = { ...(host !== undefined && { host }), ...(job !== undefined && { job }) };
  return queryOptions({ ...operationQuery(operations.getCaseProcessTree, { id, ...asked }), staleTime: 60_000 });
}

/** What is asked of the graph of a case. */
export interface CaseGraphAsked {
  readonly job: number | undefined;
  readonly withJobs: boolean;
  readonly withAllowlisted: boolean;
  readonly q: string;
}

/** What a request for the graph of a case says, but for its job edges. */
export function caseGraphRequest({ job, withAllowlisted, q }: CaseGraphAsked) {
  return {
    ...(job !== undefined && { job }),
    ...(withAllowlisted && { include_allowlisted: true }),
    ...(q !== '' && { q }),
  };
}

/** Its entities, as a graph. */
export function caseGraphQuery(id: number, asked: CaseGraphAsked) {
  const request = { id, ...caseGraphRequest(asked), ...(!asked.withJobs && { job_edges: false }) };
  return queryOptions({ ...operationQuery(operations.getCaseGraph, request), staleTime: 60_000 });
}

/** Its entities that are named by what fired in a window of time, in milliseconds. */
export function caseActiveQuery(
  id: number,
  window: { readonly from?: number | undefined; readonly to?: number | undefined },
) {
  const { from: frm, to } = window;
  const asked = { ...(frm !== undefined && { frm }), ...(to !== undefined && { to }) };
  return queryOptions({ ...operationQuery(operations.getCaseGraphActive, { id, ...asked }), staleTime: 60_000 });
}

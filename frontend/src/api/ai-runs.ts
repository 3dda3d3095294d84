import { call, operations, type AiRunHead, type AiRuns } from '@svc/contracts';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { invalidate, queryClient } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** What runs are about: a job or a case. */
export interface AiSubject {
  readonly kind: 'job' | 'case';
  readonly id: number;
}

const listOf = { job: operations.listJobAiRuns, case: operations.listCaseAiRuns } as const;
/** Where a stream cannot be had, the list is asked again after so many milliseconds. */
const pollMs = 3000;

/** Runs over something, and one of them with its answer; asked again while that is in flight and `isFollowed` is not so. */
export function aiRunsQuery({ kind, id }: AiSubject, analysisId: number | null, isFollowed = false) {
  return queryOptions({
    ...operationQuery(listOf[kind], { id, ...(analysisId !== null && { analysis_id: analysisId }) }),
    refetchInterval: ({ state }) => (!isFollowed && isInFlight(state.data?.selected) ? pollMs : false),
  });
}

export function isInFlight(run: Pick<AiRunHead, 'status'> | null | undefined): boolean {
  return run?.status === 'pending' || run?.status === 'running';
}

/** What a stream has told of a run. */
export interface FollowedRun {
  /** Null until it has told of it. */
  readonly run: AiRunHead | null;
  /** All of the answer so far. */
  readonly text: string;
  /** For administrators: what the run has noted of itself since the page was opened. */
  readonly log: string;
  /** Whether the stream runs; where not, `aiRunsQuery` asks again and again by itself. */
  readonly isFollowed: boolean;
}

/** Further text, and where it begins. */
interface Piece {
  readonly start: number;
  readonly text: string;
}

function joined(before: string, data: string): string {
  const { start, text } = JSON.parse(data) as Piece;
  return before.slice(0, start) + text;
}

const nothing: FollowedRun = { run: null, text: '', log: '', isFollowed: false };

/** Follows a run while it is in flight. What its list says is read anew when it has ended. */
export function useFollowedRun({ kind, id }: AiSubject, run: Pick<AiRunHead, 'id' | 'status'> | null): FollowedRun {
  const [told, setTold] = useState<FollowedRun & { readonly of: number | null }>({ ...nothing, of: null });
  const followedId = isInFlight(run) ? run!.id : null;
  useEffect(() => {
    if (followedId === null) return;
    const path = kind === 'job' ? `/jobs/${id}` : `/intel/cases/${id}`;
    const source = new EventSource(`${path}/ai-analysis/${followedId}/stream`);
    const change = (next: (before: FollowedRun) => Partial<FollowedRun>): void =>
      setTold((before) => {
        const own = before.of === followedId ? before : nothing;
        return { ...own, ...next(own), of: followedId };
      });
    const on = (name: string, take: (data: string, before: FollowedRun) => Partial<FollowedRun>): void =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => change((before) => take(data, before)));
    // A browser begins again by itself, where it was; what it gives up is asked for as before.
    source.addEventListener('open', () => change(() => ({ isFollowed: true })));
    source.addEventListener('error', () => change(() => ({ isFollowed: source.readyState === EventSource.OPEN })));
    on('status', (data) => ({ run: JSON.parse(data) as AiRunHead }));
    on('text', (data, { text }) => ({ text: joined(text, data) }));
    on('log', (data, { log }) => ({ log: joined(log, data) }));
    source.addEventListener('done', () => {
      source.close();
      change(() => ({ isFollowed: false }));
      void invalidate(queryKey(listOf[kind], { id }));
    });
    return () => source.close();
  }, [kind, id, followedId]);
  return told.of !== null && told.of === (run?.id ?? null) ? told : nothing;
}

const deeds = {
  job: {
    start: operations.startJobAiRun,
    cancel: operations.cancelJobAiRun,
    remove: operations.deleteJobAiRuns,
  },
  case: {
    start: operations.startCaseAiRun,
    cancel: operations.cancelCaseAiRun,
    remove: operations.deleteCaseAiRuns,
  },
} as const;

/** Starts, stops and deletes runs over something; what is shown of them is read anew. */
export function useAiRunDeeds({ kind, id }: AiSubject) {
  const after = { onSettled: () => invalidate(queryKey(listOf[kind], { id })) };
  return {
    start: useMutation({
      mutationFn: (providerId: number) => call(deeds[kind].start, { id, provider_id: providerId }),
      ...after,
    }),
    cancel: useMutation({ mutationFn: (rid: number) => call(deeds[kind].cancel, { id, rid }), ...after }),
    remove: useMutation({
      mutationFn: (ids: readonly number[]) => call(deeds[kind].remove, { id, analysis_ids: [...ids] }),
      ...after,
    }),
  };
}

/** What is known of the runs by now, without asking. */
export function knownAiRuns({ kind, id }: AiSubject): AiRuns | undefined {
  return queryClient.getQueryData(queryKey(listOf[kind], { id }));
}

import { call, operations, type OutputOf } from '@svc/contracts';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** What a list of entities is narrowed to. */
export interface EntitiesNarrowed {
  readonly q: string;
  readonly types: readonly string[];
  readonly tags: readonly string[];
  readonly job: number | undefined;
  /** Named by a job that was analysed since. @default ever */
  readonly since?: string | undefined;
}

/** And in which order, of what is the same the first in it or each by itself. */
export interface EntitiesOrdered extends EntitiesNarrowed {
  readonly sort: string | undefined;
  /** @default false */
  readonly isFolded?: boolean;
}

export interface EntitiesAsked extends EntitiesOrdered {
  readonly page: number;
  readonly cursor: string | undefined;
}

/** A page of the entities that meet a search; for members. */
export function entitiesQuery({ page, cursor, ...narrowed }: EntitiesAsked) {
  const asked = {
    page,
    ...narrowing(narrowed),
    ...(cursor !== undefined && { cursor }),
  };
  return queryOptions({ ...operationQuery(operations.listEntities, asked), placeholderData: keepPreviousData });
}

/** The numbers of all that meet a search, as many as can be chosen at once. */
export async function entityIds(narrowed: EntitiesOrdered): Promise<readonly number[]> {
  return (await call(operations.listEntityIds, narrowing(narrowed))).ids;
}

function narrowing({ q, types, tags, job, since, sort, isFolded }: EntitiesOrdered) {
  return {
    ...(q !== '' && { q }),
    ...(types.length > 0 && { types: types.join(',') }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(job !== undefined && { job }),
    ...(since !== undefined && { since }),
    ...(sort !== undefined && { sort }),
    ...(isFolded && { fold_aliases: true }),
  };
}

/** What there is on the whole; for members. */
export function intelQuery(job: number | undefined) {
  return queryOptions({
    ...operationQuery(operations.getIntel, { ...(job !== undefined && { job }) }),
    staleTime: 30_000,
  });
}

/** What completes the term under the caret of a search for entities. */
export function entitySuggestionsQuery(q: string, pos: number) {
  return {
    queryKey: queryKey(operations.suggestEntitySearch, { q, pos }),
    // The answer tells places in a text: it has to come with the text.
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => ({
      q,
      ...(await call(operations.suggestEntitySearch, { q, pos }, { signal })),
    }),
    staleTime: 30_000,
  };
}

/** What all jobs and all members say of an entity. */
export function entityQuery(id: number) {
  return queryOptions(operationQuery(operations.getEntity, { id }));
}

/** Visible jobs that name it, a page; of the newest those that saw it in a window of time. */
export function entityJobsQuery(
  id: number,
  page: number,
  { withAliases, ...window }: Pick<RelationsNarrowed, 'from' | 'to'> & { readonly withAliases: boolean },
) {
  return queryOptions({
    ...operationQuery(operations.listEntityJobs, {
      id,
      page,
      ...window,
      ...(withAliases && { fold_aliases: true }),
    }),
    placeholderData: keepPreviousData,
  });
}

/** The newest of them, to choose one from. */
export function entityScopesQuery(id: number) {
  return queryOptions(operationQuery(operations.listEntityJobs, { id, per: 200 }));
}

/** When they saw it, and what findings of theirs name it. */
export function entitySightingsQuery(id: number) {
  return queryOptions(operationQuery(operations.getEntitySightings, { id }));
}

/** What the heuristics found in them. */
export function entityThreatsQuery(id: number) {
  return queryOptions(operationQuery(operations.getEntityThreats, { id }));
}

/** What it is related to in the ways that tell most of its type. */
export function associatedEntitiesQuery(id: number) {
  return queryOptions(operationQuery(operations.listAssociatedEntities, { id }));
}

/** Findings of visible jobs whose events name it, a page of those that count or of the suppressed ones. */
export function entityFindingsQuery(
  id: number,
  {
    page,
    job,
    withAliases,
    suppressed,
  }: {
    readonly page: number;
    readonly job: number | undefined;
    readonly withAliases: boolean;
    readonly suppressed: boolean;
  },
) {
  const asked = {
    id,
    page,
    ...(job !== undefined && { job }),
    ...(withAliases && { fold_aliases: true }),
    ...(suppressed && { suppressed }),
  };
  return queryOptions({ ...operationQuery(operations.listEntityFindings, asked), placeholderData: keepPreviousData });
}

/** How it is related to others, by type and direction. */
export function entityRelationshipsQuery(id: number, job: number | undefined, narrowed: RelationsNarrowed = {}) {
  const asked = { id, ...(job !== undefined && { job }), ...narrowed };
  return queryOptions({
    ...operationQuery(operations.listEntityRelationships, asked),
    placeholderData: keepPreviousData,
  });
}

/** Which relationships: of these types, with commas between them, and those that events show then. */
export interface RelationsNarrowed {
  readonly kinds?: string;
  readonly from?: number;
  readonly to?: number;
}

/** What of a job earlier ones name, or what is new in it: a page; for members. */
export function seenBeforeQuery(jobId: number, which: 'seen' | 'new', page: number) {
  return queryOptions({
    ...operationQuery(operations.getSeenBefore, { id: jobId, which, page }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // What a log names is stored a moment after its report.
    refetchInterval: ({ state }) => state.data?.total === 0 && state.dataUpdateCount < 10 && 3000,
  });
}

/** From when to when events show a relationship. */
export function relationshipTimespanQuery(id: number) {
  return queryOptions(operationQuery(operations.getRelationshipTimespan, { id }));
}

/** What shows a relationship: a page of visible jobs with their first events. */
export function relationshipEvidenceQuery(id: number, page: number) {
  return queryOptions({
    ...operationQuery(operations.listRelationshipEvidence, { id, page }),
    placeholderData: keepPreviousData,
  });
}

/** Processes of a job that are it, or name it. */
export function entityProcessesQuery(id: number, job: number | undefined) {
  return queryOptions(operationQuery(operations.getEntityProcessTree, { id, ...(job !== undefined && { job }) }));
}

/** ATT&CK techniques of the findings that name it. */
export function entityMitreQuery(id: number, job: number | undefined) {
  return queryOptions(operationQuery(operations.getEntityMitre, { id, ...(job !== undefined && { job }) }));
}

/** What its jobs name beside it. */
export function entitiesTogetherQuery(id: number) {
  return queryOptions(operationQuery(operations.listEntitiesTogether, { id }));
}

/** What of a graph is asked for. */
export interface GraphAsked {
  readonly hops: number;
  readonly job: number | undefined;
  /** Also what is merely in the same log. */
  readonly withJobs: boolean;
  readonly withAllowlisted: boolean;
  /** What is the same as one node. */
  readonly isFolded: boolean;
  readonly only: string | undefined;
  readonly q: string;
}

/** What is asked for besides steps and job before anything is chosen. */
export const firstOfGraph = {
  withJobs: false,
  withAllowlisted: false,
  isFolded: true,
  only: undefined,
  q: '',
} as const;

/** What a request for a graph says. */
export function graphRequest({ hops, job, withJobs, withAllowlisted, isFolded, only, q }: GraphAsked) {
  return {
    hops,
    ...(job !== undefined && { job }),
    ...(only === undefined ? (withJobs ? { via: 'typed' as const } : { only: 'typed,finding' }) : { only }),
    ...(withAllowlisted && { include_allowlisted: true }),
    ...(isFolded && { fold_aliases: true }),
    ...(q !== '' && { q }),
  };
}

/** What surrounds an entity, as a graph. */
export function entityGraphQuery(id: number, asked: GraphAsked) {
  const request = { id, ...graphRequest(asked), ...(!asked.withJobs && { job_edges: false }) };
  return queryOptions({ ...operationQuery(operations.getEntityGraph, request), staleTime: 60_000 });
}

/** How many neighbours there are to expand an entity by. */
export function graphNeighboursQuery(id: number, job: number | undefined) {
  return queryOptions(operationQuery(operations.countGraphNeighbours, { id, ...(job !== undefined && { job }) }));
}

/** Ways between two entities, and whether they go through rule matches. */
export type FoundPath = OutputOf<typeof operations.findGraphPath> & { readonly isWeak: boolean };

/** The shortest ways between two; the weaker ones through rule matches where relationships have none. */
export function graphPathQuery(from: number, to: number, job: number | undefined) {
  const asked = { from, to, ...(job !== undefined && { job }) };
  return queryOptions({
    queryKey: queryKey(operations.findGraphPath, asked),
    queryFn: async ({ signal }): Promise<FoundPath> => {
      const typed = await call(operations.findGraphPath, asked, { signal });
      if (typed.steps !== null) return { ...typed, isWeak: false };
      return {
        ...(await call(operations.findGraphPath, { ...asked, kinds: 'typed,finding' }, { signal })),
        isWeak: true,
      };
    },
  });
}

/** Changes that members make to an entity; each reads it anew. */
export function useEntityChange<V>(id: number, change: (value: V) => Promise<unknown>) {
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      invalidate(
        queryKey(operations.getEntity, { id }),
        queryKey(operations.listEntities),
        queryKey(operations.getIntel),
      ),
  });
}

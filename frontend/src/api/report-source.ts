import {
  call,
  operations,
  type AlertMarkers,
  type EventsTimeline,
  type FindingEvents,
  type FindingGroups,
  type FindingMatches,
  type FindingRule,
  type FindingsNaming,
  type MatchGathering,
  type Why,
} from '@svc/contracts';
import type { JobAnalyticsState, ProcessTree, WhatHappened } from '@svc/contracts';
import type { Severity } from '@svc/domain';
import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { matchesPerPage } from '@svc/contracts';
import { matchesDownload } from '../paths.ts';
import { invalidate } from './query-client.ts';
import { queryKey, type Listed, type OperationKey } from './query-key.ts';

/** A window of time in milliseconds, a computer, and severities; none for all. */
export interface TimelineWindow {
  readonly computer?: string;
  readonly frm?: number;
  readonly to?: number;
  readonly severity: readonly Severity[];
}

/** One matched event of a finding, by its place from 0 among its sample events, or among all of its matches. */
export interface EventPlace {
  readonly among: 'samples' | 'all';
  readonly place: number;
}

/** Which matched events of a finding: a page, from 1, of all or of one group. */
export interface MatchesAsked {
  readonly page: number;
  readonly field?: string | undefined;
  /** Null for events without the field. */
  readonly value: string | null;
}

/**
 * Where the panels of a report get what they show: from a job of the service, or from an analysis in this
 * browser. Findings are known before there is a report; what is read later is read through here.
 */
export interface ReportSource {
  /** Which report it is, in the keys that its answers are kept under. */
  readonly key: { readonly id: number } | { readonly triage: number };
  /** Of the job; null where there is none, and with it nothing that only the service can do. */
  readonly jobId: number | null;
  analytics(signal: AbortSignal): Promise<JobAnalyticsState>;
  processTree(signal: AbortSignal): Promise<ProcessTree>;
  whatHappened(signal: AbortSignal): Promise<WhatHappened>;
  timeline(window: TimelineWindow, signal: AbortSignal): Promise<EventsTimeline>;
  markers(signal: AbortSignal): Promise<AlertMarkers>;
  events(findingId: number, signal: AbortSignal): Promise<FindingEvents>;
  /** Findings whose kept events name a value. */
  naming(value: string, signal: AbortSignal): Promise<FindingsNaming>;
  rule(findingId: number, signal: AbortSignal): Promise<FindingRule>;
  /** A page of all matched events of a finding, or of those with one value in a field. */
  matches(findingId: number, asked: MatchesAsked, signal: AbortSignal): Promise<FindingMatches>;
  groups(findingId: number, field: string, signal: AbortSignal): Promise<FindingGroups>;
  /** The matched events of a finding as a file: an address of it, or the bytes. */
  exported(findingId: number, format: 'jsonl' | 'csv'): string | Promise<Blob>;
  /** Has the stored log read again for all matches of a finding; null where the service has no log. */
  readonly gathering: {
    state(findingId: number, signal: AbortSignal): Promise<MatchGathering>;
    ask(findingId: number): Promise<unknown>;
  } | null;
  /** Why the rule of a finding matched one of its events. */
  why(findingId: number, event: EventPlace, signal: AbortSignal): Promise<Why>;
}

/** The report of a job, as the service tells it. */
export function jobReport(id: number): ReportSource {
  return {
    key: { id },
    jobId: id,
    analytics: (signal) => call(operations.getAnalytics, { id }, { signal }),
    processTree: (signal) => call(operations.getProcessTree, { id }, { signal }),
    whatHappened: (signal) => call(operations.getWhatHappened, { id }, { signal }),
    timeline: ({ severity, ...window }, signal) =>
      call(operations.getEventsTimeline, { id, ...window, severity: severity.join(',') }, { signal }),
    markers: (signal) => call(operations.getAlertMarkers, { id }, { signal }),
    events: (findingId, signal) => call(operations.getFindingEvents, { id: findingId }, { signal }),
    naming: (value, signal) => call(operations.getFindingsNaming, { id, value }, { signal }),
    rule: (findingId, signal) => call(operations.getFindingRule, { id: findingId }, { signal }),
    matches: (findingId, { page, field, value }, signal) =>
      call(
        operations.listFindingMatches,
        { id: findingId, page, ...(field !== undefined && { field }), ...(value !== null && { value }) },
        { signal },
      ),
    groups: (findingId, field, signal) => call(operations.groupFindingMatches, { id: findingId, field }, { signal }),
    exported: matchesDownload,
    gathering: {
      state: (findingId, signal) => call(operations.getMatchGathering, { id: findingId }, { signal }),
      ask: (findingId) => call(operations.gatherFindingMatches, { id: findingId }),
    },
    why: (findingId, { among, place }, signal) =>
      call(
        operations.explainFinding,
        { id: findingId, ...(among === 'all' ? { match: place } : { event: place }) },
        { signal },
      ),
  };
}

/** The page of all matches that has the one at this place, from 1. */
export function pageWith(place: number | null): number {
  return Math.floor((place ?? 0) / matchesPerPage) + 1;
}

const ReportContext = createContext<ReportSource | null>(null);

/** Around the panels of a report: where they read. */
export const ReportProvider = ReportContext.Provider;

/** Where the report around this component is read from. */
export function useReport(): ReportSource {
  const source = useContext(ReportContext);
  if (source === null) throw new Error('There is no report around this component');
  return source;
}

const staleTime = Number.POSITIVE_INFINITY;

/** By the report, wherever it comes from, and the operation that a job's has for this. */
function keyOf({ key }: ReportSource, operation: Listed, input: object = {}): OperationKey {
  const [of] = queryKey(operation);
  return [of, { ...key, ...input }];
}

/** What was derived from the matched events. */
export function analyticsQuery(source: ReportSource) {
  return queryOptions({
    queryKey: keyOf(source, operations.getAnalytics),
    queryFn: ({ signal }) => source.analytics(signal),
    staleTime,
  });
}

/** The processes that matched events tell of. */
export function processTreeQuery(source: ReportSource) {
  return queryOptions({
    queryKey: keyOf(source, operations.getProcessTree),
    queryFn: ({ signal }) => source.processTree(signal),
    staleTime,
  });
}

/** What the findings come to, in sentences. */
export function whatHappenedQuery(source: ReportSource) {
  return queryOptions({
    queryKey: keyOf(source, operations.getWhatHappened),
    queryFn: ({ signal }) => source.whatHappened(signal),
    staleTime,
  });
}

/** Alerts in a window of time, of some severities or all. */
export function timelineQuery(source: ReportSource, window: TimelineWindow) {
  return queryOptions({
    queryKey: keyOf(source, operations.getEventsTimeline, window),
    queryFn: ({ signal }) => source.timeline(window, signal),
    staleTime,
  });
}

/** All alerts, to count what passes filters. */
export function markersQuery(source: ReportSource) {
  return queryOptions({
    queryKey: keyOf(source, operations.getAlertMarkers),
    queryFn: ({ signal }) => source.markers(signal),
    staleTime,
    retry: false,
  });
}

/** Sample events of a finding. */
export function eventsQuery(source: ReportSource, findingId: number) {
  return queryOptions({
    queryKey: keyOf(source, operations.getFindingEvents, { finding: findingId }),
    queryFn: ({ signal }) => source.events(findingId, signal),
    staleTime,
  });
}

/** Findings whose kept events name a value. */
export function namingQuery(source: ReportSource, value: string) {
  return queryOptions({
    queryKey: keyOf(source, operations.getFindingsNaming, { value }),
    queryFn: ({ signal }) => source.naming(value, signal),
    staleTime,
  });
}

/** Source of the rule behind a finding. */
export function ruleQuery(source: ReportSource, findingId: number) {
  return queryOptions({
    queryKey: keyOf(source, operations.getFindingRule, { finding: findingId }),
    queryFn: ({ signal }) => source.rule(findingId, signal),
    staleTime,
  });
}

/** Why the rule of a finding matched one of its events. */
export function whyQuery(source: ReportSource, findingId: number, event: EventPlace) {
  return queryOptions({
    queryKey: keyOf(source, operations.explainFinding, { finding: findingId, ...event }),
    queryFn: ({ signal }) => source.why(findingId, event, signal),
    staleTime,
  });
}

/** A page of all matched events of a finding. */
export function matchesQuery(source: ReportSource, findingId: number, asked: MatchesAsked) {
  return queryOptions({
    queryKey: keyOf(source, operations.listFindingMatches, { finding: findingId, ...asked }),
    queryFn: ({ signal }) => source.matches(findingId, asked, signal),
    staleTime,
  });
}

/** How the reading of the stored log for all matches of a finding goes. */
export function gatheringQuery(source: ReportSource, findingId: number) {
  return queryOptions({
    queryKey: keyOf(source, operations.getMatchGathering, { finding: findingId }),
    queryFn: ({ signal }) => source.gathering!.state(findingId, signal),
    refetchInterval: ({ state }) => isUnderWay(state.data) && 1000,
  });
}

/** Whether a worker has still to read the log, or does. */
export function isUnderWay(gathering: MatchGathering | undefined): boolean {
  const status = gathering?.last?.status;
  return status === 'pending' || status === 'running';
}

/** Has what was read of the matches of a finding read anew. */
export async function forgetMatches(source: ReportSource, findingId: number): Promise<void> {
  const told = [operations.listFindingMatches, operations.groupFindingMatches] as const;
  await invalidate(...told.map((operation) => keyOf(source, operation, { finding: findingId })));
}

/** How often each value of a field occurs among the matched events of a finding. */
export function groupsQuery(source: ReportSource, findingId: number, field: string) {
  return queryOptions({
    queryKey: keyOf(source, operations.groupFindingMatches, { finding: findingId, field }),
    queryFn: ({ signal }) => source.groups(findingId, field, signal),
    staleTime,
  });
}

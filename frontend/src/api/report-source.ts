import { call, operations, type EventsTimeline, type FindingEvents, type FindingRule } from '@svc/contracts';
import type { JobAnalyticsState, ProcessTree } from '@svc/contracts';
import type { Severity } from '@svc/domain';
import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { queryKey, type Listed, type OperationKey } from './query-key.ts';

/** A window of time in milliseconds, a computer, and severities; none for all. */
export interface TimelineWindow {
  readonly computer?: string;
  readonly frm?: number;
  readonly to?: number;
  readonly severity: readonly Severity[];
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
  timeline(window: TimelineWindow, signal: AbortSignal): Promise<EventsTimeline>;
  events(findingId: number, signal: AbortSignal): Promise<FindingEvents>;
  rule(findingId: number, signal: AbortSignal): Promise<FindingRule>;
}

/** The report of a job, as the service tells it. */
export function jobReport(id: number): ReportSource {
  return {
    key: { id },
    jobId: id,
    analytics: (signal) => call(operations.getAnalytics, { id }, { signal }),
    processTree: (signal) => call(operations.getProcessTree, { id }, { signal }),
    timeline: ({ severity, ...window }, signal) =>
      call(operations.getEventsTimeline, { id, ...window, severity: severity.join(',') }, { signal }),
    events: (findingId, signal) => call(operations.getFindingEvents, { id: findingId }, { signal }),
    rule: (findingId, signal) => call(operations.getFindingRule, { id: findingId }, { signal }),
  };
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
  const [name] = queryKey(operation);
  return [name, { ...key, ...input }];
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

/** Alerts in a window of time, of some severities or all. */
export function timelineQuery(source: ReportSource, window: TimelineWindow) {
  return queryOptions({
    queryKey: keyOf(source, operations.getEventsTimeline, window),
    queryFn: ({ signal }) => source.timeline(window, signal),
    staleTime,
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

/** Source of the rule behind a finding. */
export function ruleQuery(source: ReportSource, findingId: number) {
  return queryOptions({
    queryKey: keyOf(source, operations.getFindingRule, { finding: findingId }),
    queryFn: ({ signal }) => source.rule(findingId, signal),
    staleTime,
  });
}

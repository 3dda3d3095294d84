import { evidenceLine } from '@svc/application/report/shown/handover/evidence-line.ts';
import {
  worstFindings,
  type HandedComment,
  type Handover,
  type HandoverSubject,
} from '@svc/application/report/shown/handover/handover.ts';
import { call, operations, type Comment, type FindingRow, type JobDetail, type WhatHappened } from '@svc/contracts';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../../../api/query-client.ts';
import { analyticsQuery, eventsQuery, type ReportSource, whatHappenedQuery } from '../../../api/report-source.ts';
import { meQuery } from '../../../api/session.ts';
import { evidenceOf, headlineOf } from '../../../ui/matched-event/evidence.ts';
import { ruleFactsQuery } from '../findings/rule-facts-query.ts';

/** What a page knows of a report before anything is gathered for handing it over. */
export interface HandedReport {
  readonly source: ReportSource;
  readonly findings: readonly FindingRow[];
  readonly panels: JobDetail['panels'];
  /** Whether the viewer may read a discussion of it. */
  readonly hasDiscussion: boolean;
  readonly subject: HandoverSubject;
  /** SHA-256 of a file that nobody has taken it of; absent where the subject tells it. */
  readonly digest?: (signal: AbortSignal) => Promise<string>;
}

/** The whole of a report, as its viewer may read it; gathered anew each time, since people go on commenting. */
export function handoverQuery(report: HandedReport) {
  return queryOptions({
    queryKey: ['handover', report.source.key],
    queryFn: ({ signal }) => gathered(report, signal),
    staleTime: 0,
  });
}

async function gathered(report: HandedReport, signal: AbortSignal): Promise<Handover> {
  const { source, findings, panels, subject } = report;
  const [digest, me, evidence, derived, told, comments] = await Promise.all([
    // A file that has gone by then costs the report its hash and nothing else.
    report.digest?.(signal).catch(() => 'could not be taken'),
    queryClient.ensureQueryData(meQuery),
    evidenceFor(source, worstFindings(findings)),
    queryClient.ensureQueryData(analyticsQuery(source)),
    queryClient.ensureQueryData(whatHappenedQuery(source)),
    report.hasDiscussion && source.jobId !== null ? commentsOn(source.jobId, signal) : null,
  ]);
  return {
    subject: digest === undefined ? subject : { ...subject, file: [...subject.file, ['SHA-256', digest]] },
    at: new Date().toISOString(),
    by: me === null ? null : (me.display_name ?? me.email),
    findings,
    evidence,
    analytics: derived.analytics,
    happened: told.sentences,
    contents: contentsOf(told),
    panels,
    comments,
  };
}

/** What is at hand of it at once, which says of itself what it lacks. */
export function handoverAtHand({ source, findings, panels, subject }: HandedReport): Handover {
  const derived = queryClient.getQueryData(analyticsQuery(source).queryKey);
  const told = queryClient.getQueryData(whatHappenedQuery(source).queryKey);
  const lacks = 'It was printed before evidence and comments were read: choose Save, then Print, for those.';
  return {
    subject: { ...subject, limits: [lacks, ...subject.limits] },
    at: new Date().toISOString(),
    by: null,
    findings,
    evidence: null,
    analytics: derived?.analytics ?? null,
    happened: told?.sentences ?? [],
    contents: told ? contentsOf(told) : [],
    panels,
    comments: null,
  };
}

/** Where something worse was found the first page has no room for what is usual. */
function contentsOf({ contents, least }: WhatHappened): Handover['contents'] {
  return least === 'medium' ? [] : (contents ?? []);
}

/** One event of each finding in a line, by what its rule looks for, as its panel shows it. */
async function evidenceFor(source: ReportSource, findings: readonly FindingRow[]): Promise<Map<number, string>> {
  const lines = await Promise.all(
    findings.map(async ({ id, has_details: hasEvents, has_rule: hasRule }) => {
      if (!hasEvents) return [];
      const [{ events }, rule] = await Promise.all([
        queryClient.ensureQueryData(eventsQuery(source, id)),
        hasRule ? queryClient.ensureQueryData(ruleFactsQuery(source, id)) : null,
      ]);
      const [event] = events;
      if (event === undefined) return [];
      return [[id, evidenceLine(event, headlineOf(evidenceOf(event.fields, rule?.facts?.terms ?? [])))] as const];
    }),
  );
  return new Map(lines.flat());
}

/** Comments that are handed over. */
const mostComments = 500;

/** The newest comments on a job, oldest first. */
async function commentsOn(id: number, signal: AbortSignal): Promise<NonNullable<Handover['comments']>> {
  const list: Comment[] = [];
  for (;;) {
    const [oldest] = list;
    const before = oldest === undefined ? {} : { before: oldest.id };
    const part = await call(operations.listComments, { target: 'job', id, ...before }, { signal });
    list.unshift(...part.comments);
    if (part.shown === 0 || list.length >= Math.min(part.total, mostComments)) {
      return { total: part.total, list: list.map(toHanded) };
    }
  }
}

function toHanded({ author, body, created_at: at, edited_at: edited }: Comment): HandedComment {
  return { author: author?.name ?? null, body, at, isEdited: edited !== undefined };
}

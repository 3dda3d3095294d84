import { isCounting, notFound, reportedStatuses, type Actor, type Finding } from '@svc/domain';
import { visibleCase } from '../../cases/visible-case.ts';
import { shownName } from '../../jobs/job-row.ts';
import type { JobView } from '../../jobs/job-views.ts';
import { visibleJobView } from '../../jobs/visible-job.ts';
import type { Ports } from '../../ports/ports.ts';
import { presentAnalytics } from '../../report/shown/analytics.ts';
import { toFindingRow, toMatchedEvent } from '../../report/shown/findings.ts';
import { shownAnalytics } from '../../system/panels.ts';
import { byWeight } from './brief-lines.ts';
import type { CaseFacts } from './case-brief.ts';
import { briefLimits, type JobFacts } from './job-facts.ts';

/** More findings than there are rules; jobs of a case that are read, the ones with the most findings first. */
const [allFindings, mostJobs] = [1_000_000, 100];

/** Ports by which the facts of a job are read. */
export type FactPorts = Pick<Ports, 'derivations' | 'findings' | 'jobViews' | 'settings'>;

/** What the report of a job shows the viewer; throws `not_found` where that is nothing. */
export async function gatherJob(ports: FactPorts, viewer: Actor, id: number): Promise<JobFacts> {
  const view = await visibleJobView(ports, viewer, id);
  const [facts] = await withEvents(ports, [await factsOf(ports, view)]);
  return facts!;
}

/** The same of the jobs of a case that the viewer sees. */
export async function gatherCase(
  ports: FactPorts & Pick<Ports, 'caseContents' | 'cases'>,
  viewer: Actor,
  id: number,
): Promise<CaseFacts> {
  const of = await visibleCase(ports, viewer, id);
  const views: JobView[] = [];
  for (let page = 1; ; page++) {
    const found = await ports.caseContents.jobs(viewer, id, { page, per: 200, by: 'created' });
    views.push(...found.jobs.map(({ view }) => view));
    if (views.length >= found.total || found.jobs.length === 0) break;
  }
  const reported = views
    .filter(({ job }) => reportedStatuses.includes(job.status))
    .sort((a, b) => b.job.totalFindings - a.job.totalFindings)
    .slice(0, mostJobs)
    .sort((a, b) => a.job.id - b.job.id);
  if (reported.length === 0) throw notFound('job with a report in this case');
  const jobs: JobFacts[] = [];
  for (const view of reported) jobs.push(await factsOf(ports, view));
  return { of, jobs: await withEvents(ports, jobs), visible: views.length };
}

async function factsOf(ports: FactPorts, view: JobView): Promise<JobFacts> {
  const { job, file } = view;
  const [site, derived, found] = await Promise.all([
    ports.settings.current(),
    ports.derivations.analytics(job.id),
    ports.findings.page(job.id, { severity: null, page: 1, per: allFindings }),
  ]);
  const analytics = derived && presentAnalytics(derived, found.findings);
  return {
    job: {
      job_id: job.id,
      filename: shownName(view),
      log_type: job.logType,
      status: job.status,
      score_ratio: job.scoreRatio,
      total_findings: job.totalFindings,
      distinct_rules: job.distinctRules,
      severity_summary: { ...job.severitySummary },
      partly_read: view.partlyRead,
      workflow: view.workflow.name,
      sha256: file.sha256,
      first_event_at: view.firstEventAt,
      last_event_at: view.lastEventAt,
    },
    file: file.id,
    analytics: analytics && shownAnalytics(analytics, site),
    own: {
      users: analytics?.users ?? [],
      hosts: [...(analytics?.computers ?? []), ...hostsOf(found.findings)],
    },
    findings: found.findings.filter(isCounting).map(toFindingRow),
    events: new Map(),
  };
}

/** With sample events of those findings that a brief over these jobs tells of. */
async function withEvents(ports: FactPorts, jobs: readonly JobFacts[]): Promise<JobFacts[]> {
  const { maxFindingDetails } = await ports.settings.current();
  const told = jobs
    .flatMap(({ findings }) => findings)
    .sort(byWeight)
    .slice(0, briefLimits.findings);
  const events = await ports.findings.eventsOf(told.map(({ id }) => id));
  const most = Math.min(maxFindingDetails, briefLimits.events);
  return jobs.map((facts) => ({
    ...facts,
    events: new Map(
      facts.findings.flatMap(({ id }) => {
        const own = events.get(id);
        return own === undefined ? [] : [[id, own.slice(0, most).map(toMatchedEvent)] as const];
      }),
    ),
  }));
}

function hostsOf(findings: readonly Pick<Finding, 'hosts'>[]): string[] {
  return [...new Set(findings.flatMap(({ hosts }) => hosts ?? []))];
}

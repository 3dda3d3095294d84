import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { tactics, tacticsOf, type Actor } from '@svc/domain';
import { shownDigest, shownName } from '../jobs/job-row.ts';
import type { Ports } from '../ports/ports.ts';
import { briefJobs } from './list-case-links.ts';
import { visibleCase } from './visible-case.ts';

const mostRules = 10;
const mostEntities = 10;
const mostCorrelated = { rules: 20, jobs: 10 };
/** Newest jobs of the case whose likes are looked for, how unlike they may be, and how many are shown. */
const similar = { jobs: 10, threshold: 100, files: 20, shown: 8 };

/** What the visible jobs of a case have found, over all of them (resolved-intel 16.4). */
export async function getCaseSummary(
  ports: Pick<Ports, 'caseOverviews' | 'cases'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getCaseSummary>,
): Promise<OutputOf<typeof operations.getCaseSummary>> {
  await visibleCase(ports, actor, id);
  const { jobs, bySeverity, rules, byTags } = await ports.caseOverviews.rollUp(actor, id, mostRules);
  return {
    jobs,
    findings: bySeverity.reduce((sum, { findings }) => sum + findings, 0),
    events: bySeverity.reduce((sum, { events }) => sum + events, 0),
    by_severity: [...bySeverity],
    suggested_severity: bySeverity[0]?.severity ?? null,
    top_rules: rules.map(({ ruleName, ruleId, severity, events, jobs: among }) => ({
      rule_name: ruleName,
      rule_id: ruleId,
      severity,
      events,
      jobs: among,
    })),
    tactics: tactics.flatMap((tactic) => {
      const of = byTags.filter(({ tags }) => tacticsOf(tags).includes(tactic));
      if (of.length === 0) return [];
      const findings = of.reduce((sum, one) => sum + one.findings, 0);
      return [{ tactic, findings, events: of.reduce((sum, one) => sum + one.events, 0) }];
    }),
  };
}

/** What may belong into a case, of what the actor sees, and is not in it. */
export async function getCasePivots(
  ports: Pick<Ports, 'caseContents' | 'caseOverviews' | 'cases' | 'files' | 'jobViews'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getCasePivots>,
): Promise<OutputOf<typeof operations.getCasePivots>> {
  await visibleCase(ports, actor, id);
  const entities = await ports.caseOverviews.entities(actor, id, mostEntities);
  const correlated = await ports.caseOverviews.correlated(actor, id, mostCorrelated);
  const shown = new Map(
    (
      await briefJobs(
        ports,
        actor,
        correlated.map(({ jobId }) => jobId),
      )
    ).map((job) => [job.id, job]),
  );
  return {
    entities: entities.map(({ id: number, value, type, occurrences, jobs }) => ({
      id: number,
      value,
      entity_type: type,
      occurrence_count: occurrences,
      jobs,
    })),
    similar: await similarJobs(ports, actor, id),
    correlated: correlated.flatMap(({ jobId, severity, rules }) => {
      const job = shown.get(jobId);
      return job === undefined ? [] : [{ ...job, severity, rules: rules.slice(0, 3), rule_count: rules.length }];
    }),
  };
}

/** Of files like those of its newest jobs the newest job of each, nearest first. */
async function similarJobs(
  ports: Pick<Ports, 'caseContents' | 'files' | 'jobViews'>,
  actor: Actor,
  caseId: number,
): Promise<OutputOf<typeof operations.getCasePivots>['similar']> {
  const { jobs } = await ports.caseContents.jobs(actor, caseId, { page: 1, per: 200, by: 'created' });
  const digested = jobs.flatMap(({ view }) => {
    const tlsh = shownDigest(view);
    return tlsh === null ? [] : [{ view, tlsh }];
  });
  const nearest = new Map<number, { readonly distance: number; readonly like: { id: number; filename: string } }>();
  for (const { view, tlsh } of digested.slice(0, similar.jobs)) {
    const like = { id: view.job.id, filename: shownName(view) };
    const found = await ports.files.similar(
      actor,
      { id: view.file.id, tlsh },
      { threshold: similar.threshold, limit: similar.files },
    );
    for (const { jobId, distance } of found) {
      if (distance < (nearest.get(jobId)?.distance ?? Number.POSITIVE_INFINITY)) nearest.set(jobId, { distance, like });
    }
  }
  const others: number[] = [];
  for (const [jobId] of [...nearest].sort(([, a], [, b]) => a.distance - b.distance)) {
    if (others.length === similar.shown) break;
    if (!(await ports.caseContents.hasJob(actor, caseId, jobId))) others.push(jobId);
  }
  return (await briefJobs(ports, actor, others)).map((job) => ({ ...job, ...nearest.get(job.id)! }));
}

import type { CaseEntity, CaseJob, InputOf, operations, OutputOf } from '@svc/contracts';
import { canNoteLink, type Actor, type Case } from '@svc/domain';
import { shownName } from '../jobs/job-row.ts';
import type { Ports } from '../ports/ports.ts';
import { shownTags } from '../tags/tag-job.ts';
import type { CaseLink, FoundEntity, LinkedEntity, LinkedJob } from './case-contents.ts';
import { visibleCase } from './visible-case.ts';

const per = 50;
/** Of each kind, in the answer for scripts. */
const mostDetails = 200;
const mostPicked = 20;

type ListPorts = Pick<Ports, 'caseContents' | 'cases'>;

/** Entities of a case. */
export async function listCaseEntities(
  ports: ListPorts,
  actor: Actor,
  { id, page, q, entity_type: type, sort }: InputOf<typeof operations.listCaseEntities>,
): Promise<OutputOf<typeof operations.listCaseEntities>> {
  const of = await visibleCase(ports, actor, id);
  const wanted = { page, per, text: q.trim(), type: type ?? null, by: sort };
  const found = await ports.caseContents.entities(actor, id, wanted);
  return {
    page: found.page,
    total: found.total,
    grand_total: found.all,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
    entities: found.entities.map((entity) => toCaseEntity(entity, of, actor)),
  };
}

/** Visible jobs of a case. */
export async function listCaseJobs(
  ports: ListPorts,
  actor: Actor,
  { id, page }: InputOf<typeof operations.listCaseJobs>,
): Promise<OutputOf<typeof operations.listCaseJobs>> {
  const of = await visibleCase(ports, actor, id);
  const found = await ports.caseContents.jobs(actor, id, { page, per, by: 'added' });
  return {
    page: found.page,
    total: found.total,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
    jobs: found.jobs.map((job) => toCaseJob(job, of, actor)),
  };
}

/** A case with what is in it, for scripts (resolved-intel 16.6). */
export async function getCaseDetail(
  ports: ListPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.getCaseDetail>,
): Promise<OutputOf<typeof operations.getCaseDetail>> {
  const of = await visibleCase(ports, actor, id);
  const part = { page: 1, per: mostDetails };
  const entities = await ports.caseContents.entities(actor, id, { ...part, text: '', type: null, by: 'everywhere' });
  const jobs = await ports.caseContents.jobs(actor, id, { ...part, by: 'created' });
  return {
    id,
    name: of.name,
    summary: of.summary,
    narrative: of.narrative,
    status: of.status,
    severity: of.severity,
    is_shared: of.isShared,
    created_at: of.createdAt.toISOString(),
    updated_at: of.updatedAt.toISOString(),
    closed_at: of.closedAt?.toISOString() ?? null,
    entities: entities.entities.map((entity) => {
      const { id: number, value, entity_type, job_count, note, added_at } = toCaseEntity(entity, of, actor);
      return { id: number, value, entity_type, job_count, note, added_at };
    }),
    entity_total: entities.total,
    jobs: jobs.jobs.map((job) => {
      const {
        id: number,
        status,
        score_ratio,
        total_findings,
        filename,
        created_at,
        note,
        added_at,
      } = toCaseJob(job, of, actor);
      return { id: number, status, score_ratio, total_findings, filename, created_at, note, added_at };
    }),
    job_total: jobs.total,
    truncated: entities.total > mostDetails || jobs.total > mostDetails,
  };
}

/** Entities of a case by value, for scripts and pickers. */
export async function findCaseEntities(
  ports: ListPorts,
  actor: Actor,
  { id, q, types, limit, ...asked }: InputOf<typeof operations.findCaseEntities>,
): Promise<OutputOf<typeof operations.findCaseEntities>> {
  await visibleCase(ports, actor, id);
  const [text, job, after] = [q.trim(), asked.job ?? null, asked.cursor ?? null];
  if (job === null && limit === undefined && text.length < 2) return [];
  // A job that is missing, private or not in the case names nothing here: nobody learns which.
  if (job !== null && !(await ports.caseContents.hasJob(actor, id, job))) return [];
  const wanted = { text, types, job, after, limit: limit ?? mostPicked };
  return (await ports.caseContents.find(id, wanted)).map(named);
}

/** Entities to put into a case. */
export async function pickCaseEntities(
  { caseContents }: Pick<Ports, 'caseContents'>,
  _actor: Actor,
  { q }: InputOf<typeof operations.pickCaseEntities>,
): Promise<OutputOf<typeof operations.pickCaseEntities>> {
  const text = q.trim();
  if (text.length === 1) return [];
  const found = await caseContents.pickEntities(text, mostPicked);
  return found.map((entity) => ({ ...named(entity), job_count: entity.jobCount }));
}

/** Visible jobs to put into a case. */
export async function pickCaseJobs(
  { caseContents, jobViews }: Pick<Ports, 'caseContents' | 'jobViews'>,
  actor: Actor,
  { q }: InputOf<typeof operations.pickCaseJobs>,
): Promise<OutputOf<typeof operations.pickCaseJobs>> {
  const ids = await caseContents.pickJobs(actor, q.trim(), mostPicked);
  return briefJobs({ jobViews }, actor, ids);
}

/** Jobs as pickers show them, in this order; those that the viewer does not see left out. */
export async function briefJobs({ jobViews }: Pick<Ports, 'jobViews'>, actor: Actor, ids: readonly number[]) {
  const views = new Map((await jobViews.some(actor, ids)).map((view) => [view.job.id, view]));
  return ids.flatMap((id) => {
    const view = views.get(id);
    if (view === undefined) return [];
    return [{ id, filename: shownName(view), status: view.job.status, created_at: view.job.createdAt.toISOString() }];
  });
}

function named({ id, value, type }: FoundEntity) {
  return { id, value, entity_type: type };
}

function shownLink(link: CaseLink, of: Case, actor: Actor) {
  return {
    note: link.note,
    added_at: link.addedAt.toISOString(),
    added_by: link.adder,
    can_note: canNoteLink(of, link, actor),
  };
}

function toCaseEntity(entity: LinkedEntity, of: Case, actor: Actor): CaseEntity {
  return {
    ...named(entity),
    job_count: entity.jobCount,
    case_jobs: entity.caseJobs,
    allowlisted: entity.isAllowlisted,
    ...shownTags(entity.tags),
    ...shownLink(entity, of, actor),
  };
}

function toCaseJob({ view, caseEntities, ...link }: LinkedJob, of: Case, actor: Actor): CaseJob {
  const { job } = view;
  return {
    id: job.id,
    filename: shownName(view),
    status: job.status,
    log_type: job.logType,
    is_private: job.isPrivate,
    created_at: job.createdAt.toISOString(),
    score_ratio: job.scoreRatio,
    total_findings: job.totalFindings,
    severity_summary: { ...job.severitySummary },
    case_entities: caseEntities,
    ...shownLink(link, of, actor),
  };
}

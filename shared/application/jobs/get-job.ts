import type { InputOf, operations, OutputOf } from '@svc/contracts';
import {
  type Actor,
  canCancel,
  fileNumber,
  hasRole,
  isTerminal,
  type Job,
  type RulePackVersion,
  type TaskResult,
  type UsedPack,
} from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { toRuleSetView } from '../rules/present-pack.ts';
import { panelsOf } from '../system/panels.ts';
import { toPostSteps } from '../report/post-steps.ts';
import { delayOf, shownDigest, toJobRow, toTaskState } from './job-row.ts';
import { visibleJobView } from './visible-job.ts';

type GetJobPorts = Pick<
  Ports,
  'aiRuns' | 'clock' | 'comments' | 'files' | 'jobs' | 'jobViews' | 'rulePacks' | 'settings' | 'watches'
>;
type JobDetail = OutputOf<typeof operations.getJob>;

/** One job with its file, its tasks and what the engines said about the log. */
export async function getJob(
  ports: GetJobPorts,
  actor: Actor,
  { id, dup }: InputOf<typeof operations.getJob>,
): Promise<JobDetail> {
  const view = await visibleJobView(ports, actor, id);
  const { job, file } = view;
  const [tasks, site, firstSeen] = await Promise.all([
    ports.jobViews.tasks(id),
    ports.settings.current(),
    ports.files.firstSeen(actor, file.id),
  ]);
  const number = fileNumber(file.sha256);
  return {
    ...toJobRow(view, actor),
    file: {
      id: number,
      sha256: file.sha256,
      size_bytes: file.sizeBytes,
      tlsh: shownDigest(view),
      uploaded_at: (firstSeen ?? job.createdAt).toISOString(),
    },
    detected_type: file.detectedType,
    effective_log_type: job.logType,
    original_filename: hasRole(actor, 'admin') ? file.originalName : null,
    events: mostEvents(tasks),
    first_event_at: view.firstEventAt,
    last_event_at: view.lastEventAt,
    rules: await rulesOf(ports, tasks),
    warnings: [...new Set(tasks.flatMap(({ warnings }) => warnings))],
    delay: delayOf(job),
    tasks: [...tasks.map((task) => toTaskState(task, actor)), ...toPostSteps(job, tasks, file.tlsh)],
    ...(await discussionOf(ports, actor, id)),
    tabs: await tabsOf(ports, actor, job),
    can_cancel: !isTerminal(job.status) && canCancel(job, actor),
    can_resubmit: await mayResubmit(ports, actor, file.id),
    can_delete: hasRole(actor, 'admin'),
    error_code: job.errorCode,
    panels: panelsOf(site),
    ...(dup === '1' && { duplicate: { file_id: number, workflow_id: job.workflowId } }),
  };
}

/** Administrators, and who has submitted the file before (resolved-platform 3.6). */
async function mayResubmit({ jobs }: GetJobPorts, actor: Actor, fileId: number): Promise<boolean> {
  if (actor.kind === 'anonymous') return false;
  return hasRole(actor, 'admin') || (await jobs.newestOf(actor.userId, fileId)) !== null;
}

/** Discussions are for who is signed in. */
async function discussionOf(
  { comments, watches }: GetJobPorts,
  actor: Actor,
  id: number,
): Promise<Pick<JobDetail, 'watching' | 'comment_count'>> {
  if (actor.kind === 'anonymous') return { watching: false, comment_count: 0 };
  return {
    watching: await watches.has(actor.userId, id),
    comment_count: await comments.count({ target: 'job', id }),
  };
}

/** Where the site shows answers of models: for those who may ask for one, and where there is one to read. */
async function tabsOf({ aiRuns, settings }: GetJobPorts, actor: Actor, job: Job): Promise<JobDetail['tabs']> {
  const tabs: JobDetail['tabs'] = actor.kind === 'anonymous' ? ['results'] : ['results', 'discussion'];
  if (!(await settings.current()).showAiAnalysis) return tabs;
  const mayAsk = hasRole(actor, 'member') && job.status !== 'failed' && job.status !== 'cancelled';
  const of = { subject: 'job', subjectId: job.id } as const;
  return mayAsk || (await aiRuns.newest(actor, of, 1)).length > 0 ? [...tabs, 'ai'] : tabs;
}

async function rulesOf({ clock, rulePacks }: GetJobPorts, tasks: readonly TaskResult[]): Promise<JobDetail['rules']> {
  const ruleSet = tasks.find((task) => task.ruleSet !== null)?.ruleSet;
  if (!ruleSet) return null;
  const inForce = new Map((await rulePacks.list()).map(({ pack }) => [pack.name, pack.inForce]));
  return {
    ...toRuleSetView(ruleSet, clock.now()),
    newer: ruleSet.packs.some((used) => isOther(used, inForce.get(used.name))),
  };
}

/** Whether what is in force under the name of a pack is not what was used; no for a pack that is gone. */
function isOther({ version, digest }: UsedPack, inForce: RulePackVersion | undefined): boolean {
  if (!inForce) return false;
  return digest === undefined ? inForce.version !== version : inForce.digest !== digest;
}

/** Records in the log: every engine reads the same ones, and some do not count. */
function mostEvents(tasks: readonly TaskResult[]): number | null {
  const counts = tasks.flatMap(({ events }) => events ?? []);
  return counts.length > 0 ? Math.max(...counts) : null;
}

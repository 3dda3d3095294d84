import type { AiFact, InputOf, operations, OutputOf, ProcessNode } from '@svc/contracts';
import { AppError, hasRole, notFound, type Actor, type AiFactKind, type AiSubject, type EntityType } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { StoredEvent } from '../report/new-finding.ts';
import { toMatchedEvent } from '../report/shown/findings.ts';
import { presentProcessTree } from '../report/shown/process-tree.ts';
import { panelsOf } from '../system/panels.ts';
import { gatherJob, type FactPorts } from './brief/gather-facts.ts';
import type { JobFacts } from './brief/job-facts.ts';
import { visibleSubject } from './run-subject.ts';
import { evidenceOf } from './verify/evidence.ts';
import { verifyAnswer, type CheckedValue } from './verify/verify-answer.ts';

type Asked = InputOf<typeof operations.getJobAiFacts>;
type Facts = OutputOf<typeof operations.getJobAiFacts>;
type FactsPorts = FactPorts & Pick<Ports, 'aiRuns' | 'cases' | 'seenBefore'>;

/** Sample events that are looked through, over all jobs of an answer; and values that are looked up among entities. */
const [mostEvents, mostLookedUp] = [10_000, 200];

/** What an answer over a job names, and whether the evidence has it: worked out each time, of what this viewer sees. */
export function getJobAiFacts(ports: FactsPorts, actor: Actor, asked: Asked): Promise<Facts> {
  return facts(ports, actor, 'job', asked);
}

/** The same of an answer over a case, of the jobs that it was written from. */
export function getCaseAiFacts(ports: FactsPorts, actor: Actor, asked: Asked): Promise<Facts> {
  return facts(ports, actor, 'case', asked);
}

async function facts(ports: FactsPorts, actor: Actor, subject: AiSubject, { id, rid }: Asked): Promise<Facts> {
  const of = await visibleSubject(ports, actor, subject, id);
  const run = await ports.aiRuns.one(actor, of, rid);
  const progress = run && (await ports.aiRuns.progress(run.id, 0));
  if (progress === null) throw notFound('AI run');
  const sources = subject === 'job' ? [id] : await ports.aiRuns.sources(rid);
  const jobs: JobFacts[] = [];
  for (const source of sources) {
    const job = await visible(gatherJob(ports, actor, source));
    if (job !== null) jobs.push(job);
  }
  const evidence = evidenceOf(jobs, await textsOf(ports, jobs));
  const checked = verifyAnswer(progress.rest, evidence);
  const [first] = jobs;
  const ids = first && hasRole(actor, 'member') ? await entityIds(ports, actor, first, checked) : new Map();
  return {
    facts: checked.map((one): AiFact => ({
      kind: one.kind,
      value: one.value,
      in_evidence: one.isKnown,
      job_id: one.jobId,
      finding_id: one.findingId,
      entity_id: ids.get(one) ?? null,
    })),
    complete: jobs.length === sources.length && progress.run.sourceDeletedAt === null,
  };
}

/** Null for a job that is gone, or that the viewer does not see. */
async function visible<T>(gathered: Promise<T>): Promise<T | null> {
  try {
    return await gathered;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

/** What the reports show beside names: sample events and, where the site shows them, processes. */
async function textsOf(
  { derivations, findings, settings }: FactsPorts,
  jobs: readonly JobFacts[],
): Promise<Set<string>> {
  const texts = new Set<string>();
  const showsProcesses = panelsOf(await settings.current()).process_tree;
  const each = Math.ceil(mostEvents / Math.max(1, jobs.length));
  for (const { job } of jobs) {
    for (const event of await findings.sampleEvents(job.job_id, each)) addEvent(texts, event);
    const processes = showsProcesses ? await derivations.processes(job.job_id) : null;
    for (const root of presentProcessTree(processes).roots) addProcess(texts, root);
  }
  return texts;
}

function addEvent(texts: Set<string>, event: StoredEvent): void {
  const { computer, channel, fields } = toMatchedEvent(event);
  for (const text of [computer, channel]) if (text !== null) texts.add(text);
  addValue(texts, fields);
}

function addValue(texts: Set<string>, value: unknown): void {
  if (typeof value === 'string') texts.add(value);
  else if (typeof value === 'number') texts.add(String(value));
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) addValue(texts, one);
}

function addProcess(texts: Set<string>, { image_full, cmdline, user, computer, hashes, children }: ProcessNode): void {
  for (const text of [image_full, cmdline, user, computer, ...hashes]) texts.add(text);
  for (const child of children) addProcess(texts, child);
}

const entityTypes: Partial<Record<AiFactKind, EntityType>> = {
  host: 'computer',
  user: 'user',
  ip: 'ip_address',
  hash: 'hash',
  program: 'executable',
  path: 'cmdline_file',
  domain: 'domain',
  service: 'service',
  task: 'task',
};

/** Pages of those values that have one. */
async function entityIds(
  { seenBefore }: Pick<FactsPorts, 'seenBefore'>,
  viewer: Actor,
  { job, file }: JobFacts,
  checked: readonly CheckedValue[],
): Promise<ReadonlyMap<CheckedValue, number>> {
  const asked = checked
    .flatMap((one) => {
      const type = entityTypes[one.kind];
      return one.isKnown && type !== undefined ? [{ one, type, value: one.value }] : [];
    })
    .slice(0, mostLookedUp);
  if (asked.length === 0) return new Map();
  const found = await seenBefore.known(viewer, { id: job.job_id, fileId: file }, asked);
  return new Map(found.flatMap((known, at) => (known === null ? [] : [[asked[at]!.one, known.entity.id] as const])));
}

import type { Happening } from '@svc/contracts/happenings.ts';
import { reaches, reportedStatuses, webhookLimits, type Job, type WebhookEvent } from '@svc/domain';
import { createHash } from 'node:crypto';
import type { JobSearch } from '../jobs/job-lists.ts';
import { planSearch } from '../jobs/plan-search.ts';
import type { Ports } from '../ports/ports.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import { tagMatchedEntities, tagMatchedJob } from './give-rule-tags.ts';
import { everybody, matchEntities, ownerOf, type RuleAnswer } from './match-entities.ts';
import type { RuleInForce, RuleRun } from './rule-passes.ts';
import { searchOf } from './rule-condition.ts';

/** Rules that run over a job, and what one of them records of it (service 8.2, resolved-intel 10.4). */
export const evaluationLimits = { entityRules: 200, jobRules: 100, recorded: 100, tagged: 5000 } as const;

/**
 * Runs the rules over a job that has ended with a report, once what it names is stored: once a job, whatever is stored
 * again. What goes wrong with a rule is logged, and keeps no other from its turn.
 */
export async function evaluateRules(
  tx: TransactionPorts,
  { subject }: Happening,
  ports: Pick<Ports, 'log'>,
): Promise<void> {
  const [held] = await tx.jobs.hold([subject.id]);
  const job = held && (await tx.jobs.get(subject.id))?.job;
  if (!job || !reportedStatuses.includes(job.status) || !(await tx.rulePasses.begin(job.id))) return;
  const { builtinRulesEnabled } = await tx.settings.current();
  await new Pass(tx, { ports, job, shared: builtinRulesEnabled ? 'with' : 'without' }).run();
}

/** Of a job with no more entities than this each is looked up, which is quicker than reading whole tables. */
const lookedUp = 5000;

interface PassContext {
  readonly ports: Pick<Ports, 'log'>;
  readonly job: Job;
  readonly shared: 'with' | 'without';
}

class Pass {
  readonly #tx: TransactionPorts;
  readonly #context: PassContext;
  /** Of when the job ended, so that what is said to be seen `<1d` does not depend on when this runs. */
  readonly #at: Date;
  readonly #runs: RuleRun[] = [];

  constructor(tx: TransactionPorts, context: PassContext) {
    this.#tx = tx;
    this.#context = context;
    this.#at = context.job.finishedAt ?? context.job.createdAt;
  }

  async run(): Promise<void> {
    await this.#entityRules();
    await this.#jobRules();
    await this.#tx.rulePasses.note(this.#runs, this.#at);
  }

  async #entityRules(): Promise<void> {
    const { job } = this.#context;
    const ofJob = { jobId: job.id };
    const entities = await this.#tx.ruleMatches.entities(ofJob);
    const asked = entities.length <= lookedUp ? { ids: entities.map(({ id }) => id) } : ofJob;
    const types = [...new Set(entities.map(({ type }) => type))];
    if (types.length === 0) return;
    const rules = await this.#inForce('entity', evaluationLimits.entityRules, types);
    const answers = await matchEntities(this.#tx, { asked, entities, now: this.#at }, { rules, mostOf });
    const given = answers.map(({ rule, entityIds }) => ({ tags: rule.actionTags, entityIds }));
    await tagMatchedEntities(this.#tx, given, this.#at);
    await this.#recordEntities(answers);
  }

  async #recordEntities(answers: readonly RuleAnswer[]): Promise<void> {
    const recorded = await this.#tx.rulePasses.recordEntities(
      answers
        .filter(({ rule, entityIds }) => records(rule) && entityIds.length > 0)
        .map(({ rule, entityIds }) => ({ ...this.#match(rule), entityIds })),
    );
    for (const { rule, entityIds, isTruncated, error } of answers) {
      const newAlerts = recorded.get(rule.id) ?? 0;
      if (error !== null) this.#failed(rule, error);
      else this.#ran(rule, { hasMatched: entityIds.length > 0, isTruncated, newAlerts });
      if (newAlerts > 0) await this.#deliver(rule, 'rule.match', entityIds);
    }
  }

  async #jobRules(): Promise<void> {
    const planned = (await this.#inForce('job', evaluationLimits.jobRules, null)).map((rule) => {
      const viewer = viewerOfJobs(rule);
      const { search, errors } = planSearch(viewer, { q: searchOf(rule.query), tags: [] }, this.#at);
      return { rule, viewer, search, problem: errors[0] };
    });
    for (const together of askedTogether(planned)) await this.#askJob(together);
  }

  async #askJob(planned: readonly PlannedRule[]): Promise<void> {
    const { job } = this.#context;
    const met = await this.#tx.ruleMatches.job(job.id, planned);
    for (const [place, { rule, problem }] of planned.entries()) {
      const isMatch = problem ? new Error(`${problem.term}: ${problem.reason}`) : met[place]!;
      if (isMatch instanceof Error) {
        this.#failed(rule, isMatch);
        continue;
      }
      if (isMatch) await tagMatchedJob(this.#tx, job.id, rule.actionTags, this.#at);
      const isNew = isMatch && records(rule) && (await this.#tx.rulePasses.recordJob(this.#match(rule)));
      this.#ran(rule, { hasMatched: isMatch, isTruncated: false, newAlerts: isNew ? 1 : 0 });
      if (isNew) await this.#deliver(rule, 'job.match', []);
    }
  }

  async #inForce(
    scope: 'entity' | 'job',
    most: number,
    types: Parameters<TransactionPorts['rulePasses']['inForce']>[0]['types'],
  ): Promise<RuleInForce[]> {
    const { job, shared } = this.#context;
    const found = await this.#tx.rulePasses.inForce({ scope, types, shared, limit: most + 1 });
    if (found.length > most)
      this.#warn('there are more rules than run over a job; later ones are left out', { scope, most });
    return found.slice(0, most).filter((rule) => mayRun(rule, job));
  }

  #match({ id, notifies }: RuleInForce) {
    return { ruleId: id, jobId: this.#context.job.id, at: this.#at, isAlert: notifies };
  }

  #ran({ id: ruleId }: RuleInForce, run: Omit<RuleRun, 'ruleId'>): void {
    this.#runs.push({ ruleId, ...run });
    if (run.isTruncated) this.#warn('a rule matches more than is recorded', { rule_id: ruleId });
  }

  async #deliver(
    { id: ruleId, webhook }: RuleInForce,
    event: WebhookEvent,
    entityIds: readonly number[],
  ): Promise<void> {
    if (!webhook.enabled) return;
    const { id: jobId } = this.#context.job;
    const delivery = { id: deliveryId(ruleId, jobId), ruleId, jobId, event, at: this.#at };
    await this.#tx.webhookDeliveries.add([
      { ...delivery, matchCount: Math.max(1, entityIds.length), entityIds: entityIds.slice(0, webhookLimits.entities) },
    ]);
  }

  /** One that is not as it was checked when it was saved, such as of a list that is gone. */
  #failed({ id }: RuleInForce, error: Error): void {
    this.#warn('a rule could not be run', { rule_id: id, error });
  }

  #warn(message: string, fields: Readonly<Record<string, unknown>>): void {
    this.#context.ports.log.warn(message, { job_id: this.#context.job.id, ...fields });
  }
}

/** A rule on jobs and what it asks, or what of that cannot be read. */
interface PlannedRule {
  readonly rule: RuleInForce;
  readonly viewer: ReturnType<typeof ownerOf>;
  readonly search: JobSearch;
  readonly problem: ReturnType<typeof planSearch>['errors'][number] | undefined;
}

/** Rules on jobs that are asked in one statement, whose text stays short (decision 86). */
const mostTogether = 10;

/** In their order, those in one list that ask for nothing that others of it may change: one that asks for tags begins another. */
function askedTogether(planned: readonly PlannedRule[]): PlannedRule[][] {
  const lists: PlannedRule[][] = [];
  for (const one of planned) {
    const filters = [one.search.filters, ...(one.search.alternatives ?? [])].flat();
    const asksForTags = filters.some(({ condition }) => condition?.key === 'tag');
    const last = lists.at(-1);
    const mayChange = asksForTags && last?.some(({ rule }) => rule.actionTags.length > 0);
    if (last === undefined || mayChange || last.length === mostTogether) lists.push([one]);
    else last.push(one);
  }
  return lists;
}

/** Whether matches are recorded: those of a rule that only tags are not. */
function records({ notifies, webhook }: RuleInForce): boolean {
  return notifies || webhook.enabled;
}

function mostOf(rule: RuleInForce): number {
  return rule.ownerId === null && !records(rule) ? evaluationLimits.tagged : evaluationLimits.recorded;
}

/** Whether a rule is to learn of a job: its owner could open it, and what is nobody's tells of no private one. */
function mayRun(rule: RuleInForce, job: Job): boolean {
  if (rule.ownerId === null) return !job.isPrivate || !records(rule);
  if (!rule.owner?.isActive || !reaches(rule.owner.role, 'member')) return false;
  return !job.isPrivate || job.submittedBy === rule.ownerId || rule.owner.role === 'admin';
}

/** What is nobody's looks at a job with no limits: it says of the job only what those read who see it. */
function viewerOfJobs(rule: RuleInForce): ReturnType<typeof ownerOf> {
  const viewer = ownerOf(rule);
  if (viewer !== everybody) return viewer;
  return { kind: 'account', userId: '00000000-0000-0000-0000-000000000000', email: '', role: 'admin', ip: '' };
}

/** The same for the same rule and job, so that what is done again is not told again; as a UUID (RFC 9562, version 8). */
function deliveryId(ruleId: number, jobId: number): string {
  const hex = createHash('sha256').update(`rule ${ruleId} job ${jobId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

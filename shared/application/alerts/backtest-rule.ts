import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, counted, notFound, reaches, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { shownName } from '../jobs/job-row.ts';
import type { JobView } from '../jobs/job-views.ts';
import type { Ports } from '../ports/ports.ts';
import type { BackgroundTask } from '../work/background-task-repository.ts';
import { requestBackgroundTask, type RequestPorts } from '../work/request-background-task.ts';
import { planRule } from './plan-rule.ts';
import type { Backtest, TrialRange } from './rule-trials.ts';
import { invalidRule } from './save-alert-rule.ts';
import { read } from './try-rule.ts';

/** Back-tests that are kept of an account, jobs that are looked at at once, and matched jobs after which one ends. */
const [kept, atOnce, mostMatches, per] = [20, 200, 1000, 50];

type BacktestPorts = Pick<Ports, 'backgroundTasks' | 'clock' | 'ruleTrials'>;
export type RunBacktestPorts = BacktestPorts & Pick<Ports, 'accounts' | 'jobViews' | 'ruleLists'>;

/** Has a worker look for what a condition would have matched in a range of time; the caller sees what comes of it. */
export async function beginBacktest(
  ports: BacktestPorts & RequestPorts & Pick<Ports, 'alertRules' | 'outbound' | 'ruleLists'>,
  actor: Actor,
  input: InputOf<typeof operations.beginBacktest>,
): Promise<OutputOf<typeof operations.beginBacktest>> {
  const { userId, email } = signedIn(actor);
  const { condition, problems } = await read(ports, actor, input);
  if (problems.length > 0) throw invalidRule(problems);
  const [since, until] = [new Date(input.since), new Date(input.until)];
  if (!(since < until)) throw new AppError('bad_request', 'until: must be after since');
  const jobsTotal = await ports.ruleTrials.countJobs(actor, { since, until });
  const asked = { ...condition, accountId: userId, since, until, jobsTotal, createdAt: ports.clock.now() };
  const id = await ports.ruleTrials.begin(asked, kept);
  await requestBackgroundTask(ports, { kind: 'backtest_alert_rule', targetId: id, requestedBy: email });
  return { id };
}

/** How a back-test of the caller's stands, and a page of the jobs that it matched, as far as they may see them. */
export async function getBacktest(
  ports: BacktestPorts & Pick<Ports, 'jobViews'>,
  actor: Actor,
  { id, page }: InputOf<typeof operations.getBacktest>,
): Promise<OutputOf<typeof operations.getBacktest>> {
  // First, or what was found until the task ended would be missing of one that has ended.
  const task = await taskOf(ports, id);
  const backtest = await ownBacktest(ports, actor, id);
  const { jobs, matches, found } = await ports.ruleTrials.found(actor, id, { page, per });
  const views = await ports.jobViews.some(
    actor,
    found.map(({ jobId }) => jobId),
  );
  const byId = new Map(views.map((view) => [view.job.id, view]));
  return {
    ...present(backtest, task),
    matched_jobs: jobs,
    matches,
    total_pages: Math.max(1, Math.ceil(jobs / per)),
    found: found.flatMap(({ jobId, matches: many, entities }) => {
      const view = byId.get(jobId);
      if (view === undefined) return [];
      return [{ job: jobOf(view), count: many, entities: entities.map((entity) => ({ ...entity })) }];
    }),
  };
}

/** The last back-tests of the caller. */
export async function listBacktests(
  ports: BacktestPorts,
  actor: Actor,
): Promise<OutputOf<typeof operations.listBacktests>> {
  const backtests = await ports.ruleTrials.backtestsOf(signedIn(actor).userId);
  return { backtests: await Promise.all(backtests.map(async (one) => present(one, await taskOf(ports, one.id)))) };
}

/** Has a back-test look no further; what it has found stays. */
export async function cancelBacktest(
  ports: BacktestPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.cancelBacktest>,
): Promise<void> {
  await ownBacktest(ports, actor, id);
  const task = await taskOf(ports, id);
  if (task !== null) await ports.backgroundTasks.cancel(task.id, ports.clock.now());
}

/** What the task of a back-test does: a part of the range at a time, from the newest job on; null when more is to be done. */
export async function runBacktest(
  ports: RunBacktestPorts,
  { id: taskId, targetId }: BackgroundTask,
  stop: AbortSignal,
): Promise<string | null> {
  for (;;) {
    stop.throwIfAborted();
    const backtest = await ports.ruleTrials.get(targetId ?? 0);
    const account = backtest && (await ports.accounts.get(backtest.accountId));
    // As whoever asked sees it now, which may be less than when they asked.
    if (backtest === null || !account?.isActive || !reaches(account.role, 'member')) return 'who asked for it has gone';
    const actor: Actor = { kind: 'account', userId: account.id, email: account.email, role: account.role, ip: '' };
    const range: TrialRange = { since: backtest.since, until: backtest.until, below: backtest.lastJobId };
    const jobIds = await ports.ruleTrials.jobsOf(actor, range, atOnce);
    const lastJobId = jobIds.at(-1);
    if (lastJobId === undefined) return `${counted(backtest.jobsDone, 'job')} looked at`;
    const plan = await planRule(ports, actor, backtest, backtest.createdAt);
    const found = await ports.ruleTrials.matches(actor, plan, jobIds);
    const matched = await ports.ruleTrials.record(backtest, { jobs: jobIds.length, lastJobId, found });
    const done = backtest.jobsDone + jobIds.length;
    if (matched >= mostMatches)
      return `${counted(done, 'job')} looked at, down to job ${lastJobId}: that is enough matches`;
    const detail = `${done} of ${backtest.jobsTotal} jobs`;
    if (!(await ports.backgroundTasks.progress(taskId, { cursor: lastJobId, detail }, ports.clock.now())))
      return detail;
  }
}

async function ownBacktest({ ruleTrials }: BacktestPorts, actor: Actor, id: number): Promise<Backtest> {
  const backtest = await ruleTrials.get(id);
  if (backtest === null || backtest.accountId !== signedIn(actor).userId) throw notFound('back-test');
  return backtest;
}

function jobOf(view: JobView) {
  return { id: view.job.id, filename: shownName(view), created_at: view.job.createdAt.toISOString() };
}

function taskOf({ backgroundTasks }: BacktestPorts, id: number): Promise<BackgroundTask | null> {
  return backgroundTasks.latest('backtest_alert_rule', id);
}

function present(
  backtest: Backtest,
  task: BackgroundTask | null,
): OutputOf<typeof operations.listBacktests>['backtests'][number] {
  return {
    id: backtest.id,
    scope: backtest.scope,
    query: backtest.query,
    entity_types: [...backtest.entityTypes],
    since: backtest.since.toISOString(),
    until: backtest.until.toISOString(),
    created_at: backtest.createdAt.toISOString(),
    // Tasks that have ended are forgotten in time.
    status: task?.status ?? 'completed',
    detail: task?.detail ?? task?.errorMessage ?? null,
    jobs_done: backtest.jobsDone,
    jobs_total: backtest.jobsTotal,
  };
}

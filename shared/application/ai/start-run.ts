import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, type Actor, type AiSubject } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { endAiRun, failedRun } from './begin-run.ts';
import { checkAnalysable, visibleSubject, type SubjectPorts } from './run-subject.ts';

export type StartRunPorts = SubjectPorts &
  Pick<
    Ports,
    'aiProviders' | 'aiRuns' | 'clock' | 'deployment' | 'log' | 'rateLimiter' | 'settings' | 'tasks' | 'transaction'
  >;
type Asked = InputOf<typeof operations.startJobAiRun>;
type Started = OutputOf<typeof operations.startJobAiRun>;

const dayMs = 86_400_000;

/** Has a model analyse a job. */
export function startJobAiRun(ports: StartRunPorts, actor: Actor, asked: Asked): Promise<Started> {
  return start(ports, actor, 'job', asked);
}

/** Has a model analyse the jobs of a case that the actor sees. */
export function startCaseAiRun(ports: StartRunPorts, actor: Actor, asked: Asked): Promise<Started> {
  return start(ports, actor, 'case', asked);
}

/** What cannot be started at all is refused before what was started too often. */
async function start(
  ports: StartRunPorts,
  actor: Actor,
  subject: AiSubject,
  { id, provider_id: providerId }: Asked,
): Promise<Started> {
  const { aiProviders, aiRuns, clock, log, settings, tasks } = ports;
  const { userId } = signedIn(actor);
  const of = await visibleSubject(ports, actor, subject, id);
  await checkAnalysable(ports, actor, of);
  if (!(await settings.current()).showAiAnalysis) throw new AppError('feature_off', 'AI analysis is switched off here');
  const provider = await aiProviders.get(providerId);
  if (provider?.isEnabled !== true)
    throw new AppError('bad_request', 'There is no such AI provider, or it is switched off');
  await checkBudget(ports, userId);
  await checkRate(ports, userId);
  const runId = await aiRuns.add({ ...of, provider, requestedBy: userId, at: clock.now() });
  try {
    await tasks.enqueue({ kind: 'run_ai_analysis', runId }, { submitter: userId.slice(0, 16) });
  } catch (error) {
    log.error('an ai run could not be queued', { run_id: runId, error });
    await endAiRun(ports, runId, failedRun(clock.now(), 'The run could not be queued'));
    throw new AppError('queue_unreachable', 'The run could not be queued; try again shortly', { cause: error });
  }
  return { analysis_id: runId };
}

async function checkRate({ deployment, rateLimiter }: StartRunPorts, userId: string): Promise<void> {
  const { perMinute } = deployment.ai;
  if (perMinute === 0 || (await rateLimiter.take(`ai:${userId}`, perMinute))) return;
  throw new AppError('rate_limited', `More than ${perMinute} AI runs within a minute; try again in a minute`);
}

async function checkBudget({ aiRuns, clock, deployment }: StartRunPorts, userId: string): Promise<void> {
  const { tokensPerDay, tokensPerUserPerDay } = deployment.ai;
  if (tokensPerDay === 0 && tokensPerUserPerDay === 0) return;
  const { all, own } = await aiRuns.spent(new Date(clock.now().getTime() - dayMs), userId);
  const later = { retryAfter: 3600 };
  if (tokensPerUserPerDay > 0 && own >= tokensPerUserPerDay) {
    throw new AppError(
      'ai_budget',
      `Your AI runs of the last 24 hours have used ${own} tokens of ${tokensPerUserPerDay}`,
      later,
    );
  }
  if (tokensPerDay > 0 && all >= tokensPerDay) {
    throw new AppError('ai_budget', 'The AI runs of everybody have used up the tokens of the last 24 hours', later);
  }
}

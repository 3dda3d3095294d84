import { aiRunKey } from '@svc/contracts/tasks.ts';
import type { AiRunHead, InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, isInFlight, notFound, ownsAiRun, type Actor, type AiRun, type AiSubject } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { endAiRun, stoppedRun } from './begin-run.ts';
import { presentHead, type PresentPorts } from './present-run.ts';
import { visibleSubject } from './run-subject.ts';

export type StopRunPorts = PresentPorts & Pick<Ports, 'cases' | 'jobViews' | 'ledger' | 'transaction'>;
type Stopping = InputOf<typeof operations.cancelJobAiRun>;
type Deleting = InputOf<typeof operations.deleteJobAiRuns>;
type Deleted = OutputOf<typeof operations.deleteJobAiRuns>;

/** Seconds after which a run that is under way and says nothing is ended by whoever stops it: it says something each second. */
const silentSeconds = 10;

export function cancelJobAiRun(ports: StopRunPorts, actor: Actor, asked: Stopping): Promise<AiRunHead> {
  return cancel(ports, actor, 'job', asked);
}

export function cancelCaseAiRun(ports: StopRunPorts, actor: Actor, asked: Stopping): Promise<AiRunHead> {
  return cancel(ports, actor, 'case', asked);
}

export function deleteJobAiRuns(ports: DeleteRunPorts, actor: Actor, asked: Deleting): Promise<Deleted> {
  return remove(ports, actor, 'job', asked);
}

export function deleteCaseAiRuns(ports: DeleteRunPorts, actor: Actor, asked: Deleting): Promise<Deleted> {
  return remove(ports, actor, 'case', asked);
}

/** A run that waits, or whose worker is gone, ends at once; another is asked to. */
async function cancel(
  ports: StopRunPorts,
  actor: Actor,
  subject: AiSubject,
  { id, rid }: Stopping,
): Promise<AiRunHead> {
  const { aiRuns, clock, ledger } = ports;
  const of = await visibleSubject(ports, actor, subject, id);
  const run = await aiRuns.one(actor, of, rid);
  if (run === null) throw notFound('AI run');
  refuseOthers(run, actor);
  if (!isInFlight(run)) throw new AppError('conflict', `The run has ended: it is ${run.status}`);
  const at = clock.now();
  if (run.status === 'running') await aiRuns.requestCancel(rid, at);
  if (run.status === 'pending' || isSilent(run, at)) {
    await endAiRun(ports, rid, stoppedRun(at));
    await ledger.remove(aiRunKey(rid));
  }
  const now = await aiRuns.get(rid);
  if (now === null) throw notFound('AI run');
  return presentHead(ports, actor, now);
}

function isSilent({ heartbeatAt, startedAt, createdAt }: AiRun, now: Date): boolean {
  return now.getTime() - (heartbeatAt ?? startedAt ?? createdAt).getTime() > silentSeconds * 1000;
}

function refuseOthers(run: AiRun, actor: Actor): void {
  if (ownsAiRun(run, actor)) return;
  throw new AppError('forbidden', 'Only who started a run and administrators may stop or delete it');
}

export type DeleteRunPorts = Pick<Ports, 'aiRuns' | 'cases' | 'jobViews'>;

/** All of them or none; ids that are none of these runs are skipped. */
async function remove(
  ports: DeleteRunPorts,
  actor: Actor,
  subject: AiSubject,
  { id, analysis_ids: ids }: Deleting,
): Promise<Deleted> {
  const of = await visibleSubject(ports, actor, subject, id);
  const found: AiRun[] = [];
  for (const runId of new Set(ids)) {
    const run = await ports.aiRuns.one(actor, of, runId);
    if (run !== null) found.push(run);
  }
  for (const run of found) refuseOthers(run, actor);
  const live = found.filter(isInFlight);
  if (live.length > 0)
    throw new AppError(
      'conflict',
      `Stop what is under way before you delete it: run ${live.map((run) => run.id).join(', ')}`,
    );
  return { deleted: found.length === 0 ? 0 : await ports.aiRuns.remove(found.map((run) => run.id)) };
}

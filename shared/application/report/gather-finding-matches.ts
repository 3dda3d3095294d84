import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { requestBackgroundTask, type RequestPorts } from '../work/request-background-task.ts';
import { visibleFinding } from './finding-evidence.ts';
import { whyNotReadable } from './gather-matches.ts';

type GatheringPorts = Pick<Ports, 'backgroundTasks' | 'findings' | 'jobs' | 'objects'>;

/** Has a worker read the stored log again for all matches of a finding; throws `conflict` where it cannot be, and `unavailable`. */
export async function gatherFindingMatches(
  ports: GatheringPorts & RequestPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.gatherFindingMatches>,
): Promise<OutputOf<typeof operations.gatherFindingMatches>> {
  const reason = await whyNot(ports, actor, id);
  if (reason !== null) throw new AppError('conflict', reason);
  const requestedBy = actor.kind === 'account' ? actor.email : '';
  return requestBackgroundTask(ports, { kind: 'gather_finding_matches', targetId: id, requestedBy });
}

/** How the reading of the log for a finding goes, or went the last time. */
export async function getMatchGathering(
  ports: GatheringPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.getMatchGathering>,
): Promise<OutputOf<typeof operations.getMatchGathering>> {
  const reason = await whyNot(ports, actor, id);
  const last = await ports.backgroundTasks.latest('gather_finding_matches', id);
  return { refused: reason, last: last && { status: last.status, detail: last.detail ?? last.errorMessage } };
}

async function whyNot(ports: GatheringPorts, actor: Actor, id: number): Promise<string | null> {
  const finding = await visibleFinding(ports, actor, id);
  return whyNotReadable(ports, finding, (await ports.jobs.get(finding.jobId))!);
}

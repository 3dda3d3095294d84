import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { clockHints, type LogOfHost } from './clock-hints.ts';
import { visibleMembers } from './visible-members.ts';

/** Sample events of a job that are compared. */
const mostEvents = 1000;

/** Where the clocks of logs of one host disagree, among the jobs of a case that the actor sees. */
export async function getClockHints(
  ports: Pick<Ports, 'cases' | 'caseTimelines' | 'derivations' | 'findings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getClockHints>,
): Promise<OutputOf<typeof operations.getClockHints>> {
  const { members } = await visibleMembers(ports, actor, { id });
  const logs: LogOfHost[] = [];
  // One after the other: a job has thousands of processes.
  for (const member of members) {
    const [processes, events] = await Promise.all([
      ports.derivations.processes(member.jobId),
      ports.findings.sampleEvents(member.jobId, mostEvents),
    ]);
    logs.push({ member, processes: processes?.roots ?? [], events });
  }
  return { hints: clockHints(logs) };
}

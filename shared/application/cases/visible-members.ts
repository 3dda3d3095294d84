import { notFound, type Actor, type Case } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { MemberJob } from './case-timelines.ts';
import { visibleCase } from './visible-case.ts';

/** A case that the actor sees, and those of its jobs that they see; one that is asked for must be among them. */
export async function visibleMembers(
  ports: Pick<Ports, 'cases' | 'caseTimelines'>,
  actor: Actor,
  { id, job }: { readonly id: number; readonly job?: number | undefined },
): Promise<{ readonly found: Case; readonly members: readonly MemberJob[] }> {
  const found = await visibleCase(ports, actor, id);
  const members = await ports.caseTimelines.members(actor, id);
  if (job !== undefined && !members.some(({ jobId }) => jobId === job)) throw notFound('job in this case');
  return { found, members };
}

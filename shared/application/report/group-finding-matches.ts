import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { fullestEvidence, visibleFinding, type EvidencePorts } from './finding-evidence.ts';
import { groupsOf } from './shown/matches.ts';

/** The values of a field among the matched events of a finding, with their counts. */
export async function groupFindingMatches(
  ports: EvidencePorts,
  actor: Actor,
  { id, field }: InputOf<typeof operations.groupFindingMatches>,
): Promise<OutputOf<typeof operations.groupFindingMatches>> {
  const finding = await visibleFinding(ports, actor, id);
  return { ...(await groupsOf(await fullestEvidence(ports, finding), field)), count: finding.count };
}

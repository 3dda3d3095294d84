import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { keptEvidence, readAgain, visibleFinding, type EvidencePorts } from './finding-evidence.ts';
import { pageOf } from './shown/matches.ts';

/** A page of the matched events of a finding. Where those that were kept end too early, the log is read again. */
export async function listFindingMatches(
  ports: EvidencePorts,
  actor: Actor,
  { id, page, field, value }: InputOf<typeof operations.listFindingMatches>,
): Promise<OutputOf<typeof operations.listFindingMatches>> {
  const finding = await visibleFinding(ports, actor, id);
  const wanted = { page, filter: field === undefined ? null : { field, value: value ?? null } };
  const kept = await keptEvidence(ports, finding);
  const shown = await pageOf(kept, wanted);
  const { count } = finding;
  if (kept.complete || (shown.more && kept.from === 'kept')) return { ...shown, count };
  const again = await readAgain(ports, finding);
  return { ...(again === null ? shown : await pageOf(again, wanted)), count };
}

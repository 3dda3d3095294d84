import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, relationshipLabels, relationshipSamples, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { Relationship } from './relationship-evidence.ts';

/** From when to when events of visible jobs show a relationship; without any, when jobs with it were analysed. */
export async function getRelationshipTimespan(
  ports: Pick<Ports, 'relationshipEvidence'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getRelationshipTimespan>,
): Promise<OutputOf<typeof operations.getRelationshipTimespan>> {
  const relationship = await knownRelationship(ports, id);
  const { occurrences, jobs, from, to } = await ports.relationshipEvidence.span(actor, id);
  const isObserved = from !== null && to !== null;
  return {
    ...shownRelationship(relationship),
    evidence_occurrences: occurrences,
    jobs,
    time_source: isObserved ? 'event' : 'ingest',
    from: (isObserved ? from : relationship.firstSeenAt).getTime(),
    to: (isObserved ? to : relationship.lastSeenAt).getTime(),
    // The engine notes the times of all events.
    sampled: false,
    sample_cap: relationshipSamples,
  };
}

/** Throws `not_found`. */
export async function knownRelationship(
  { relationshipEvidence }: Pick<Ports, 'relationshipEvidence'>,
  id: number,
): Promise<Relationship> {
  const found = await relationshipEvidence.get(id);
  if (found === null) throw notFound('relationship');
  return found;
}

/** A relationship as every member knows it. */
export function shownRelationship({ id, type, source, target, occurrences }: Relationship) {
  return {
    relationship_id: id,
    rel_type: type,
    rel_label: relationshipLabels[type],
    source: toEnd(source),
    target: toEnd(target),
    occurrence_count: occurrences,
  };
}

function toEnd({ type, ...other }: Relationship['source']) {
  return { ...other, entity_type: type };
}

import { stixPattern, type RelationshipKind } from '@svc/domain';
import { v5 as uuid5 } from 'uuid';
import type { Indicator } from './indicators.ts';

/** Objects of STIX 2.1 (docs.oasis-open.org/cti/stix/v2.1), with ids by which a second export updates the first. */
export type StixObject = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string };

const version = '2.1';
/** Who says all of it, from the start of the time that logs are of. */
const since = '2024-01-01T00:00:00.000Z';

function idOf(type: string, seed: string): string {
  return `${type}--${uuid5(seed, uuid5.URL)}`;
}

export const identity = {
  type: 'identity',
  spec_version: version,
  id: idOf('identity', 'svc'),
  created: since,
  modified: since,
  name: 'svc',
  identity_class: 'system',
} as const satisfies StixObject;

type Named = Pick<Indicator, 'type' | 'value'>;

export function indicatorId({ type, value }: Named): string {
  return idOf('indicator', `svc:indicator:${type}:${value}`);
}

/** Null where no pattern finds the value. */
export function indicatorObject(indicator: Indicator): StixObject | null {
  const pattern = stixPattern(indicator);
  if (pattern === null) return null;
  const { type, value, firstSeenAt, lastSeenAt, jobCount, severity, categories } = indicator;
  return {
    type: 'indicator',
    spec_version: version,
    id: indicatorId(indicator),
    created_by_ref: identity.id,
    created: firstSeenAt.toISOString(),
    modified: lastSeenAt.toISOString(),
    name: value,
    description: `Observed in ${jobCount} job(s)`,
    indicator_types: ['anomalous-activity'],
    pattern,
    pattern_type: 'stix',
    valid_from: firstSeenAt.toISOString(),
    labels: [type, ...(severity === null ? [] : [`severity:${severity}`]), ...categories],
  };
}

/** The most that the property `count` of a sighting may say. */
const mostSighted = 999_999_999;

/** That the events of a job name it, at the time of the job. */
export function sightingObject(
  of: Named,
  { jobId, at, events }: { readonly jobId: number; readonly at: Date; readonly events: number },
): StixObject {
  const when = at.toISOString();
  return {
    type: 'sighting',
    spec_version: version,
    id: idOf('sighting', `svc:sighting:${of.type}:${of.value}:${jobId}`),
    created_by_ref: identity.id,
    created: when,
    modified: when,
    first_seen: when,
    last_seen: when,
    count: Math.min(events, mostSighted),
    sighting_of_ref: indicatorId(of),
    where_sighted_refs: [identity.id],
  };
}

export interface RelatedIndicators {
  readonly source: Indicator;
  readonly target: Indicator;
  /** Null where they are only named together. */
  readonly kind: RelationshipKind | null;
  readonly description?: string;
}

export function relationshipObject({ source, target, kind, description }: RelatedIndicators): StixObject {
  const [from, to] = [indicatorId(source), indicatorId(target)];
  const type = kind === null ? 'related-to' : kind.replaceAll('_', '-');
  return {
    type: 'relationship',
    spec_version: version,
    id: idOf('relationship', `svc:rel:${from}:${to}:${kind ?? 'related-to'}`),
    created_by_ref: identity.id,
    created: later(source.firstSeenAt, target.firstSeenAt),
    modified: later(source.lastSeenAt, target.lastSeenAt),
    relationship_type: type,
    ...(description !== undefined && { description }),
    source_ref: from,
    target_ref: to,
  };
}

function later(a: Date, b: Date): string {
  return new Date(Math.max(a.getTime(), b.getTime())).toISOString();
}

export interface WrittenNote {
  /** Of the case, which the note keeps when the case gets another name. */
  readonly caseId: number;
  readonly abstract: string;
  readonly content: string;
  readonly created: Date;
  readonly modified: Date;
  /** Ids of the objects that it is about, at least one. */
  readonly about: readonly string[];
}

/** What people have written of a case. */
export function noteObject({ caseId, abstract, content, created, modified, about }: WrittenNote): StixObject {
  return {
    type: 'note',
    spec_version: version,
    id: idOf('note', `svc:case:${caseId}`),
    created_by_ref: identity.id,
    created: created.toISOString(),
    modified: modified.toISOString(),
    abstract,
    content,
    object_refs: [...about],
  };
}

/** A bundle has no version and is not kept: its id is new each time. */
export function bundle(objects: readonly StixObject[]): StixObject {
  return { type: 'bundle', id: `bundle--${crypto.randomUUID()}`, objects };
}

import type { OutputRecord } from '../events/log-event.ts';
import type { Linked } from '../correlation/linked.ts';
import { type Edges, mostSamples } from './edge-table.ts';
import { entityTypes } from './entities.ts';
import { typeNumber } from './entity-table.ts';
import type { DerivedIntel } from './intel.ts';
import { relationshipTypes } from './intel.ts';
import type { IntelPart, KeptSample } from './intel-pass.ts';

/** Things of one type that are kept (resolved-intel 1.2), and relationships of all types together. */
const mostEntities = 20_000;
const mostRelationships = 20_000;

const nothing: DerivedIntel = { entities: [], findings: [], relationships: [], isTruncated: false };

/** A thing of all parts; `place` is -1 where it is not kept. */
interface Joined {
  readonly type: number;
  readonly value: string;
  count: number;
  place: number;
}

interface JoinedEdge extends Omit<Edges, 'source' | 'target' | 'samples'> {
  readonly source: Joined;
  readonly target: Joined;
  readonly samples: readonly KeptSample[];
}

/**
 * Puts together what was found in all parts of a log: the same as in one pass over it, as long as there was room.
 * @param linked what events of correlations name, by the numbers of the run that read them.
 */
export function joinIntel(parts: readonly IntelPart[], linked: readonly Linked[]): DerivedIntel {
  if (parts.length === 0) return nothing;
  const joined = new JoinedThings();
  const ofRun = new Map(parts.map((part) => [part.run, joined.numbered(part)]));
  const isCut = joined.place();
  const edges = joinEdges(parts, ofRun);
  const relationships = edges
    .filter(({ source, target }) => source.place >= 0 && target.place >= 0)
    .sort((one, other) => other.count - one.count || compare(one, other));
  return {
    entities: joined.kept.map(({ type, value, count }) => ({ type: entityTypes[type]!, value, count })),
    findings: findingsOf(parts, linked, ofRun),
    relationships: relationships
      .slice(0, mostRelationships)
      .sort((one, other) => one.type - other.type)
      .map(({ type, source, target, count, failed, from, to, samples }) => ({
        type: relationshipTypes[type]!,
        source: source.place,
        target: target.place,
        count,
        failed,
        observedFrom: from,
        observedTo: to,
        samples: samples.map(({ record }): OutputRecord => record),
      })),
    isTruncated: isCut || relationships.length > mostRelationships || parts.some((part) => part.isTruncated),
  };
}

class JoinedThings {
  readonly kept: Joined[] = [];
  readonly #byType = entityTypes.map(() => new Map<string, Joined>());

  /** The things of a part by their numbers there. */
  numbered({ types, values, counts }: IntelPart): readonly Joined[] {
    return values.map((value, number) => {
      const type = types[number]!;
      const known = this.#byType[type]!.get(value);
      if (known !== undefined) {
        known.count += counts[number]!;
        return known;
      }
      const thing = { type, value, count: counts[number]!, place: -1 };
      // The first is none.
      if (number > 0) this.#byType[type]!.set(value, thing);
      return thing;
    });
  }

  /** Gives the most frequent their places; true where some are left out. */
  place(): boolean {
    const programs = this.#byType[typeNumber('executable')]!;
    let isCut = false;
    for (const [type, things] of this.#byType.entries()) {
      const isFile = type === typeNumber('cmdline_file');
      const met = [...things.values()]
        // What an end of a relationship names and no field of its type did is none; a program is no file either.
        .filter(({ value, count }) => count > 0 && !(isFile && (programs.get(value)?.count ?? 0) > 0))
        .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
      isCut ||= met.length > mostEntities;
      for (const thing of met.slice(0, mostEntities)) thing.place = this.kept.push(thing) - 1;
    }
    return isCut;
  }
}

function joinEdges(parts: readonly IntelPart[], ofRun: ReadonlyMap<number, readonly Joined[]>): readonly JoinedEdge[] {
  if (parts.length === 1) return parts[0]!.edges.map((edge) => joinedEdge(parts[0]!, ofRun, edge));
  const edges = new Map<Joined, Map<Joined, JoinedEdge[]>>();
  const all: JoinedEdge[] = [];
  for (const edge of parts.flatMap((part) => part.edges.map((one) => joinedEdge(part, ofRun, one)))) {
    let ofSource = edges.get(edge.source);
    if (ofSource === undefined) edges.set(edge.source, (ofSource = new Map()));
    let between = ofSource.get(edge.target);
    if (between === undefined) ofSource.set(edge.target, (between = []));
    const known = between.findIndex(({ type }) => type === edge.type);
    if (known < 0) between.push(edge);
    else between[known] = together(between[known]!, edge);
  }
  for (const ofSource of edges.values()) for (const between of ofSource.values()) all.push(...between);
  return all;
}

function joinedEdge(
  { run, samples }: IntelPart,
  ofRun: ReadonlyMap<number, readonly Joined[]>,
  edge: Edges,
): JoinedEdge {
  const things = ofRun.get(run)!;
  return {
    ...edge,
    source: things[edge.source]!,
    target: things[edge.target]!,
    samples: edge.samples.map((sample) => samples[sample]!),
  };
}

function together(one: JoinedEdge, other: JoinedEdge): JoinedEdge {
  const samples = [...one.samples, ...other.samples].sort((a, b) => a.order - b.order);
  return {
    ...one,
    count: one.count + other.count,
    failed: one.failed + other.failed,
    from: ofBoth(Math.min, one.from, other.from),
    to: ofBoth(Math.max, one.to, other.to),
    samples: samples.slice(0, mostSamples),
  };
}

function ofBoth(choose: (a: number, b: number) => number, one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : choose(one, other);
}

/** By places, which are the same whoever read which part. */
function compare(one: JoinedEdge, other: JoinedEdge): number {
  return one.type - other.type || one.source.place - other.source.place || one.target.place - other.target.place;
}

function findingsOf(
  parts: readonly IntelPart[],
  linked: readonly Linked[],
  ofRun: ReadonlyMap<number, readonly Joined[]>,
): DerivedIntel['findings'] {
  const all = [...parts.flatMap(({ run, links }) => links.map((link) => ({ run, ...link }))), ...linked];
  const byRule = new Map<number, Set<number>>();
  for (const { run, rule, entities } of all) {
    const things = ofRun.get(run) ?? [];
    let places = byRule.get(rule);
    if (places === undefined) byRule.set(rule, (places = new Set()));
    for (const entity of entities) {
      const place = things[entity]!.place;
      if (place >= 0) places.add(place);
    }
  }
  return [...byRule]
    .sort(([one], [other]) => one - other)
    .map(([rule, places]) => ({ rule, entities: [...places].sort((one, other) => one - other) }))
    .filter(({ entities }) => entities.length > 0);
}

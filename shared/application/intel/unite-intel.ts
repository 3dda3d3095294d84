import { entityKey, entityValue } from '@svc/domain';
import type { UnitedIntel } from './intel-repository.ts';
import type { TaskIntel } from './task-intel.ts';

type Entity = UnitedIntel['entities'][number];
type Relationship = UnitedIntel['relationships'][number];

/**
 * What a job names by what its tasks found. They read the same log, so that of two that name the same the higher count
 * holds; within one task, spellings of the same are one, and are counted together.
 */
export function uniteIntel(tasks: readonly TaskIntel[]): UnitedIntel {
  const entities = new Map<string, Entity & { place: number }>();
  const relationships = new Map<string, Relationship>();
  const findings = new Map<number, Set<number>>();
  for (const task of tasks) {
    const places = joinEntities(entities, task.entities);
    joinRelationships(relationships, relationshipsOf(task, places));
    for (const { finding, entities: named } of task.findings ?? []) {
      const known = findings.get(finding) ?? new Set();
      for (const place of named) known.add(places[place]!);
      findings.set(finding, known);
    }
  }
  return {
    entities: [...entities.values()].map(({ place: _place, ...entity }) => entity),
    relationships: [...relationships.values()],
    findings: [...findings].map(([finding, named]) => ({ finding, entities: [...named] })),
  };
}

/** Adds what a task names; where each of it stands then. */
function joinEntities(known: Map<string, Entity & { place: number }>, named: readonly Entity[]): number[] {
  const ofTask = new Map<string, { entity: Entity; at: number[] }>();
  for (const [at, given] of named.entries()) {
    const entity = { ...given, value: entityValue(given.value) };
    const key = `${entity.type} ${entityKey(entity.value)}`;
    const same = ofTask.get(key);
    if (same === undefined) ofTask.set(key, { entity, at: [at] });
    else ofTask.set(key, { entity: { ...same.entity, count: same.entity.count + entity.count }, at: [...same.at, at] });
  }
  const places: number[] = [];
  for (const [key, { entity, at }] of ofTask) {
    const before = known.get(key);
    const place = before?.place ?? known.size;
    known.set(key, { ...(before ?? entity), count: Math.max(before?.count ?? 0, entity.count), place });
    for (const each of at) places[each] = place;
  }
  return places;
}

/** Those of a task, by the places of their ends in the job. */
function relationshipsOf(task: TaskIntel, places: readonly number[]): Iterable<readonly [string, Relationship]> {
  const joined = new Map<string, Relationship>();
  for (const given of task.relationships) {
    const one = { ...given, source: places[given.source]!, target: places[given.target]! };
    if (one.source === one.target) continue;
    const key = `${one.type} ${one.source} ${one.target}`;
    const same = joined.get(key);
    const [count, failed] = [one.count + (same?.count ?? 0), one.failed + (same?.failed ?? 0)];
    joined.set(key, same === undefined ? one : { ...observedIn(same, one), count, failed });
  }
  return joined;
}

function joinRelationships(known: Map<string, Relationship>, found: Iterable<readonly [string, Relationship]>): void {
  for (const [key, one] of found) {
    const before = known.get(key);
    if (before === undefined) known.set(key, one);
    else {
      const [count, failed] = [Math.max(before.count, one.count), Math.max(before.failed, one.failed)];
      known.set(key, { ...observedIn(before, one), count, failed });
    }
  }
}

/** The first, with the times and samples of both. */
function observedIn(one: Relationship, other: Relationship): Relationship {
  const times = [one.observedFrom, other.observedFrom, one.observedTo, other.observedTo].filter(
    (time) => time !== null,
  );
  return {
    ...one,
    observedFrom: times.length === 0 ? null : Math.min(...times),
    observedTo: times.length === 0 ? null : Math.max(...times),
    samples: one.samples.length > 0 ? one.samples : other.samples,
  };
}

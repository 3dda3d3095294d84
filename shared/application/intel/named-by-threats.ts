import { entityKey, severityRank, type Severity } from '@svc/domain';

/** Something that the heuristics found in the events of a job. */
export interface FoundThreat {
  readonly category: string;
  readonly severity: Severity;
  /** The value that told it. */
  readonly value: string;
}

/** A kind of threat that names an entity, by its place; of several of a kind the worst. */
export interface NamedByThreat {
  readonly entity: number;
  readonly category: string;
  readonly severityRank: number;
}

/** What stands between the words of a command line, an address or a list. */
const between = /[\s"'`,;|<>()[\]{}=]+/;

/**
 * Which entities of a job its indicators name: by their whole value, or as a word of it, the last part of a path, the host
 * of an address or the name behind a domain. A part of a word names nothing, or short names would be found everywhere.
 */
export function namedByThreats(
  entities: readonly { readonly value: string }[],
  threats: readonly FoundThreat[],
): NamedByThreat[] {
  const places = new Map<string, number[]>();
  if (threats.length === 0) return [];
  for (const [place, { value }] of entities.entries()) {
    const key = entityKey(value);
    places.set(key, [...(places.get(key) ?? []), place]);
  }
  const named = new Map<string, NamedByThreat>();
  for (const { category, severity, value } of threats) {
    const rank = severityRank(severity);
    for (const name of namesIn(entityKey(value))) {
      for (const entity of places.get(name) ?? []) {
        const key = `${entity} ${category}`;
        const before = named.get(key);
        if (before === undefined || rank < before.severityRank)
          named.set(key, { entity, category, severityRank: rank });
      }
    }
  }
  return [...named.values()];
}

function namesIn(value: string): ReadonlySet<string> {
  const names = new Set([value.trim()]);
  for (const word of value.split(between)) {
    if (word === '') continue;
    names.add(word);
    const last = word.slice(Math.max(word.lastIndexOf('\\'), word.lastIndexOf('/')) + 1);
    if (last !== '') names.add(last);
    const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:?#]+)/.exec(word)?.[1];
    if (host !== undefined) names.add(host);
  }
  return names;
}

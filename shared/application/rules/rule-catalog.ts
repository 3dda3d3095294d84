import {
  type RulePackVersion,
  type Severity,
  attackPlaces,
  otherTactic,
  tactics,
  tacticsOf,
  techniquesOf,
} from '@svc/domain';
import { everyRule, type LogSource, needsOfRules, type RuleNeed, unpackRules } from '@svc/engine';
import { artifactBytes, artifactOf, type ArtifactPorts } from './rule-artifact.ts';

/** A rule or correlation as it stands in a pack. */
export interface CatalogRule {
  /** Null for a rule that no decision can be kept for. */
  readonly id: string | null;
  readonly title: string;
  readonly level: Severity;
  /** Null for correlations, which have no status. */
  readonly status: string | null;
  readonly tags: readonly string[];
  readonly author: string | null;
  /** Null for correlations, which have those of their rules. */
  readonly logSource: LogSource | null;
  readonly path: string;
  /** The document as written. */
  readonly source: string;
  /** What records it must be given: those of one of these. */
  readonly needs: readonly RuleNeed[];
}

/** The rules of a version of a pack by title, and what they are about. */
export interface RuleCatalog {
  readonly rules: readonly CatalogRule[];
  /** Rules by tactic, in ATT&CK order, and by technique, in order of their ids. */
  readonly coverage: {
    readonly tactics: Record<string, number>;
    readonly techniques: Record<string, number>;
    readonly matrix: Record<string, string[]>;
  };
  /** Most rules first. */
  readonly logSources: readonly NamedCount[];
  readonly statuses: readonly NamedCount[];
}

interface NamedCount {
  readonly name: string;
  readonly rules: number;
}

const keptCatalogs = 3;
/** By digest of the version, those used last at the end: versions never change. */
const catalogs = new Map<string, Promise<RuleCatalog>>();

/** What is in a version of a pack; read once while it is asked for. */
export function catalogOf(
  ports: ArtifactPorts,
  version: Pick<RulePackVersion, 'digest' | 'filesKey'>,
): Promise<RuleCatalog> {
  const reading = catalogs.get(version.digest) ?? readCatalog(ports, version);
  catalogs.delete(version.digest);
  catalogs.set(version.digest, reading);
  // What could not be read may be readable next time.
  reading.catch(() => catalogs.delete(version.digest));
  for (const digest of [...catalogs.keys()].slice(0, -keptCatalogs)) catalogs.delete(digest);
  return reading;
}

async function readCatalog(
  ports: ArtifactPorts,
  version: Pick<RulePackVersion, 'digest' | 'filesKey'>,
): Promise<RuleCatalog> {
  const whole = () => artifactOf(ports, [{ version, overrides: [] }], everyRule);
  const set = unpackRules(await artifactBytes(ports, await whole(), whole));
  const needs = needsOfRules(set);
  const listed = [
    ...set.rules.map((rule) => ({ rule, status: rule.status, logSource: rule.logSource })),
    ...set.correlations.map((rule) => ({ rule, status: null, logSource: null })),
  ].map(({ rule, ...told }, at) => toCatalogRule(rule, { ...told, needs: needs[at] ?? [] }));
  listed.sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
  return {
    rules: listed,
    coverage: coverageOf(listed),
    logSources: counted(listed.flatMap(logSourceOf)),
    statuses: counted(listed.flatMap((rule) => rule.status ?? [])),
  };
}

/** Without what matching needs, so that little is kept of a large pack. */
function toCatalogRule(
  { id, title, level, tags, author, path, source }: Omit<CatalogRule, 'status' | 'logSource' | 'needs'>,
  told: Pick<CatalogRule, 'status' | 'logSource' | 'needs'>,
): CatalogRule {
  return { id, title, level, tags, author, path, source, ...told };
}

/** Product, category and service, as far as a rule states them. */
export function logSourceOf({ logSource }: CatalogRule): string[] {
  return logSource === null
    ? ['correlation']
    : [logSource.product, logSource.category, logSource.service].flatMap((part) => part ?? []);
}

function coverageOf(rules: readonly CatalogRule[]): RuleCatalog['coverage'] {
  const byTactic = new Map<string, number>(tactics.map((tactic) => [tactic, 0]));
  const byTechnique = new Map<string, number>();
  const within = new Map(tactics.map((tactic) => [tactic, new Set<string>()]));
  for (const { tags } of rules) {
    for (const tactic of tacticsOf(tags)) add(byTactic, tactic);
    const techniques = techniquesOf(tags);
    const parents = new Set(techniques.map(parentOf));
    for (const technique of new Set([...techniques, ...parents])) add(byTechnique, technique);
    for (const { tactic, technique } of attackPlaces(tags)) {
      if (tactic !== otherTactic && technique !== '') within.get(tactic)!.add(parentOf(technique));
    }
  }
  const techniques = Object.fromEntries([...byTechnique].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { tactics: Object.fromEntries(byTactic), techniques, matrix: matrixOf(techniques, within) };
}

/** The techniques of each tactic, in order of their ids. */
function matrixOf(
  techniques: Readonly<Record<string, number>>,
  within: ReadonlyMap<string, ReadonlySet<string>>,
): Record<string, string[]> {
  const ids = Object.keys(techniques);
  return Object.fromEntries([...within].map(([tactic, own]) => [tactic, ids.filter((id) => own.has(id))]));
}

/** Of a sub-technique the technique; of others themselves. */
export function parentOf(technique: string): string {
  return technique.replace(/\..*$/, '');
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function counted(names: readonly string[]): NamedCount[] {
  const counts = new Map<string, number>();
  for (const name of names) add(counts, name);
  return [...counts]
    .map(([name, rules]) => ({ name, rules }))
    .sort((a, b) => b.rules - a.rules || (a.name < b.name ? -1 : 1));
}

import { type RulePackVersion, type Severity, tactics, tacticsOf, techniquesOf } from '@svc/domain';
import { everyRule, type LogSource, unpackRules } from '@svc/engine';
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
}

/** The rules of a version of a pack by title, and what they are about. */
export interface RuleCatalog {
  readonly rules: readonly CatalogRule[];
  /** Rules by tactic, in ATT&CK order, and by technique, in order of their ids. */
  readonly coverage: { readonly tactics: Record<string, number>; readonly techniques: Record<string, number> };
  /** Most rules first. */
  readonly logSources: readonly { readonly name: string; readonly rules: number }[];
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
  const { rules, correlations } = unpackRules(await artifactBytes(ports, await whole(), whole));
  const listed = [
    ...rules.map((rule) => toCatalogRule(rule, rule.status, rule.logSource)),
    ...correlations.map((correlation) => toCatalogRule(correlation, null, null)),
  ];
  listed.sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
  return { rules: listed, coverage: coverageOf(listed), logSources: logSourcesOf(listed) };
}

/** Without what matching needs, so that little is kept of a large pack. */
function toCatalogRule(
  { id, title, level, tags, author, path, source }: Omit<CatalogRule, 'status' | 'logSource'>,
  status: string | null,
  logSource: LogSource | null,
): CatalogRule {
  return { id, title, level, status, tags, author, logSource, path, source };
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
  for (const { tags } of rules) {
    for (const tactic of tacticsOf(tags)) byTactic.set(tactic, byTactic.get(tactic)! + 1);
    for (const technique of new Set(techniquesOf(tags))) {
      byTechnique.set(technique, (byTechnique.get(technique) ?? 0) + 1);
    }
  }
  return {
    tactics: Object.fromEntries(byTactic),
    techniques: Object.fromEntries([...byTechnique].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function logSourcesOf(rules: readonly CatalogRule[]): RuleCatalog['logSources'] {
  const counts = new Map<string, number>();
  for (const rule of rules) for (const part of logSourceOf(rule)) counts.set(part, (counts.get(part) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, rules: count }))
    .sort((a, b) => b.rules - a.rules || (a.name < b.name ? -1 : 1));
}

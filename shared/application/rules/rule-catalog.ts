import type { RulePackVersion, Severity } from '@svc/domain';
import { type LogSource, unpackRules } from '@svc/engine';
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

const keptCatalogs = 3;
const open = { minLevel: null, statuses: [], logSources: [], tags: [], include: [], exclude: [] };
/** By digest of the version, those used last at the end: versions never change. */
const catalogs = new Map<string, Promise<readonly CatalogRule[]>>();

/** The rules of a version of a pack, by title. */
export function catalogOf(
  ports: ArtifactPorts,
  version: Pick<RulePackVersion, 'digest' | 'filesKey'>,
): Promise<readonly CatalogRule[]> {
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
): Promise<readonly CatalogRule[]> {
  const whole = () => artifactOf(ports, [{ version, overrides: [] }], open);
  const { rules, correlations } = unpackRules(await artifactBytes(ports, await whole(), whole));
  const listed = [
    ...rules.map((rule) => toCatalogRule(rule, rule.status, rule.logSource)),
    ...correlations.map((correlation) => toCatalogRule(correlation, null, null)),
  ];
  return listed.sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
}

/** Without what matching needs, so that little is kept of a large pack. */
function toCatalogRule(
  { id, title, level, tags, author, path, source }: Omit<CatalogRule, 'status' | 'logSource'>,
  status: string | null,
  logSource: LogSource | null,
): CatalogRule {
  return { id, title, level, status, tags, author, logSource, path, source };
}

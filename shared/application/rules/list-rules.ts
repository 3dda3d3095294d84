import type { InputOf, operations, OutputOf, PackRule } from '@svc/contracts';
import { type Actor, type PackOverride, tactics, tacticsOf, techniquesOf } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { findPack } from './present-pack.ts';
import type { ArtifactPorts } from './rule-artifact.ts';
import { catalogOf, type CatalogRule } from './rule-catalog.ts';

const perPage = 100;

type Query = InputOf<typeof operations.listRules>;

/** Rules of a pack in force that pass the filters, by title, and what the whole pack covers; throws `not_found`. */
export async function listRules(
  ports: ArtifactPorts & Pick<Ports, 'rulePacks'>,
  _actor: Actor,
  query: Query,
): Promise<OutputOf<typeof operations.listRules>> {
  const { pack, overrides } = await findPack(ports, query.name);
  const decided = new Map(overrides.map((override) => [override.ruleId, override]));
  const all = await catalogOf(ports, pack.inForce);
  const found = all.filter((rule) => passes(rule, query, decided));
  const pages = Math.max(1, Math.ceil(found.length / perPage));
  const page = Math.min(query.page, pages);
  return {
    version: pack.inForce.version,
    rules: found.slice((page - 1) * perPage, page * perPage).map((rule) => toPackRule(rule, decided)),
    page,
    total: found.length,
    total_pages: pages,
    coverage: coverageOf(all),
    log_sources: logSourcesOf(all),
  };
}

/** A rule as lists show it, with what was decided about it. */
export function toPackRule(rule: CatalogRule, decided: ReadonlyMap<string, PackOverride>): PackRule {
  const { id, title, level, status, tags, author, logSource, path } = rule;
  const decision = decisionOn(rule, decided);
  return {
    rule_id: id,
    title,
    level,
    status,
    tags: [...tags],
    author,
    log_source: logSource && [logSource.product, logSource.category, logSource.service].flatMap((part) => part ?? []),
    path,
    enabled: decision?.enabled ?? true,
    level_override: decision?.level ?? null,
  };
}

function decisionOn({ id }: CatalogRule, decided: ReadonlyMap<string, PackOverride>): PackOverride | undefined {
  return id === null ? undefined : decided.get(id.toLowerCase());
}

function passes(
  rule: CatalogRule,
  { q, level, tactic, technique, log_source: logSource, decided: only }: Query,
  decided: ReadonlyMap<string, PackOverride>,
): boolean {
  const { title, id, tags, path } = rule;
  const text = q?.toLowerCase() ?? '';
  return (
    (text === '' || [title, id ?? '', path, ...tags].some((value) => value.toLowerCase().includes(text))) &&
    (level === undefined || (decisionOn(rule, decided)?.level ?? rule.level) === level) &&
    (tactic === undefined || tacticsOf(tags).some((one) => one === tactic)) &&
    (technique === undefined ||
      techniquesOf(tags).some((one) => one === technique || one.startsWith(`${technique}.`))) &&
    (logSource === undefined || partsOf(rule).includes(logSource)) &&
    (!only || decisionOn(rule, decided) !== undefined)
  );
}

function partsOf({ logSource }: CatalogRule): string[] {
  return logSource === null
    ? ['correlation']
    : [logSource.product, logSource.category, logSource.service].flatMap((part) => part ?? []);
}

/** Rules by tactic, in ATT&CK order, and by technique, in order of their ids. */
function coverageOf(rules: readonly CatalogRule[]): OutputOf<typeof operations.listRules>['coverage'] {
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

/** What rules are about, most rules first. */
function logSourcesOf(rules: readonly CatalogRule[]): { name: string; rules: number }[] {
  const counts = new Map<string, number>();
  for (const rule of rules) for (const part of partsOf(rule)) counts.set(part, (counts.get(part) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, rules: count }))
    .sort((a, b) => b.rules - a.rules || (a.name < b.name ? -1 : 1));
}

import type { InputOf, operations, OutputOf, PackRule } from '@svc/contracts';
import { type Actor, isNoisy, type PackOverride, recentJobs, tacticsOf, techniqueNow, techniquesOf } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { RecentCosts, RecentHits } from '../report/finding-repository.ts';
import { findPack } from './present-pack.ts';
import type { ArtifactPorts } from './rule-artifact.ts';
import { catalogOf, type CatalogRule, logSourceOf } from './rule-catalog.ts';

const perPage = 100;

type Query = InputOf<typeof operations.listRules>;

/** Rules of a pack in force that pass the filters, by title, and what the whole pack covers; throws `not_found`. */
export async function listRules(
  ports: ArtifactPorts & Pick<Ports, 'findings' | 'rulePacks'>,
  actor: Actor,
  query: Query,
): Promise<OutputOf<typeof operations.listRules>> {
  const { pack, overrides } = await findPack(ports, query.name);
  const decided = new Map(overrides.map((override) => [override.ruleId, override]));
  const { rules, coverage, logSources, statuses } = await catalogOf(ports, pack.inForce);
  const passing = rules.filter((rule) => passes(rule, query, decided));
  const found = query.fired === undefined ? passing : await thatFired(ports, actor, passing, query.fired);
  const recent = await ports.findings.recentHits(actor, recentJobs);
  const shown = inOrder(
    found.map((rule) => toPackRule(rule, decided, recent)),
    query.order ?? 'title',
  );
  const pages = Math.max(1, Math.ceil(shown.length / perPage));
  const page = Math.min(query.page, pages);
  return {
    version: pack.inForce.version,
    rules: shown.slice((page - 1) * perPage, page * perPage),
    recent: toRecentJobs(recent),
    page,
    total: shown.length,
    total_pages: pages,
    coverage,
    log_sources: [...logSources],
    statuses: [...statuses],
  };
}

async function thatFired(
  { findings }: Pick<Ports, 'findings'>,
  actor: Actor,
  rules: readonly CatalogRule[],
  wanted: boolean,
): Promise<CatalogRule[]> {
  const fired = await findings.fired(
    actor,
    rules.flatMap(({ id }) => id ?? []),
  );
  return rules.filter(({ id }) => (id !== null && fired.has(id)) === wanted);
}

function inOrder(rules: readonly PackRule[], order: NonNullable<Query['order']>): readonly PackRule[] {
  if (order === 'title') return rules;
  if (order === 'slow') return rules.toSorted((a, b) => b.recent.ms_per_million - a.recent.ms_per_million);
  const hitting = order === 'noisy' ? rules.filter(({ recent }) => recent.is_noisy) : rules;
  return hitting.toSorted((a, b) => b.recent.events - a.recent.events);
}

/** A rule as lists show it, with what was decided about it and what it did of late. */
export function toPackRule(
  rule: CatalogRule,
  decided: ReadonlyMap<string, PackOverride>,
  { records, rules, measured }: RecentHits,
): PackRule {
  const { id, title, level, status, tags, author, logSource, path } = rule;
  const decision = decisionOn(rule, decided);
  const { events, jobs } = rules.get(id?.toLowerCase() ?? '') ?? { events: 0, jobs: 0 };
  return {
    rule_id: id,
    title,
    level,
    status,
    tags: [...tags],
    author,
    log_source: logSource && logSourceOf(rule),
    path,
    enabled: decision?.enabled ?? true,
    level_override: decision?.level ?? null,
    recent: { events, jobs, is_noisy: isNoisy(decision?.level ?? level, events, records), ...costOf(id, measured) },
  };
}

function costOf(id: string | null, { records, ms: all, rules }: RecentCosts) {
  const { tries, ms } = rules.get(id?.toLowerCase() ?? '') ?? { tries: 0, ms: 0 };
  return {
    tries,
    ms_per_million: records === 0 ? 0 : (ms / records) * 1_000_000,
    share: all === 0 ? 0 : Math.min(1, ms / all),
  };
}

/** What the figures of rules are of. */
export function toRecentJobs({ jobs, records, measured }: RecentHits) {
  return { jobs, records, measured_jobs: measured.jobs, measured_records: measured.records };
}

function decisionOn({ id }: CatalogRule, decided: ReadonlyMap<string, PackOverride>): PackOverride | undefined {
  return id === null ? undefined : decided.get(id.toLowerCase());
}

function passes(
  rule: CatalogRule,
  { q, level, status, tactic, technique, log_source: logSource, decided: only }: Query,
  decided: ReadonlyMap<string, PackOverride>,
): boolean {
  const { title, id, tags, path } = rule;
  const text = q?.toLowerCase() ?? '';
  return (
    (text === '' || [title, id ?? '', path, ...tags].some((value) => value.toLowerCase().includes(text))) &&
    (level === undefined || (decisionOn(rule, decided)?.level ?? rule.level) === level) &&
    (status === undefined || rule.status === status) &&
    (tactic === undefined || tacticsOf(tags).some((one) => one === tactic)) &&
    (technique === undefined ||
      techniquesOf(tags).some(
        (one) => one === techniqueNow(technique) || one.startsWith(`${techniqueNow(technique)}.`),
      )) &&
    (logSource === undefined || logSourceOf(rule).includes(logSource)) &&
    (!only || decisionOn(rule, decided) !== undefined)
  );
}

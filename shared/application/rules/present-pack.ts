import type { RulePack as RulePackView, RulePackVersion as VersionView, TriagePlan } from '@svc/contracts';
import {
  daysSince,
  isStale,
  notFound,
  type PackOverride,
  type RulePack,
  type RulePackVersion,
  type RuleSet,
} from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** A pack by its name, with what was decided about its rules; throws `not_found`. */
export async function findPack(
  { rulePacks }: Pick<Ports, 'rulePacks'>,
  name: string,
): Promise<{ readonly pack: RulePack; readonly overrides: readonly PackOverride[] }> {
  const found = (await rulePacks.list()).find(({ pack }) => pack.name === name);
  if (!found) throw notFound('rule pack');
  return found;
}

/** A pack as administrators see it. */
export function toPackView(pack: RulePack, now: Date): RulePackView {
  return {
    name: pack.name,
    enabled: pack.enabled,
    url: pack.url,
    checked_at: pack.checkedAt?.toISOString() ?? null,
    check_error: pack.checkError,
    is_stale: isStale(pack.name, daysSince(pack.inForce.datedAt, now)),
    in_force: toVersionView(pack.inForce, now),
  };
}

export function toVersionView(version: RulePackVersion, now: Date): VersionView {
  const { id, digest, source, licence, loaded, rejected, retired, warnings, datedAt, importedAt } = version;
  return {
    id,
    version: version.version,
    digest,
    source,
    licence,
    loaded,
    rejected,
    retired,
    warnings,
    dated_at: datedAt,
    age_days: ageOf(datedAt, now),
    imported_at: importedAt.toISOString(),
  };
}

/** The rules of an analysis, with how old each pack is by now. */
export function toRuleSetView(ruleSet: RuleSet, now: Date): TriagePlan['tasks'][number]['rules'] {
  return {
    ...ruleSet,
    packs: ruleSet.packs.map(({ name, version, datedAt }) => {
      return { name, version, dated_at: datedAt, age_days: ageOf(datedAt, now) };
    }),
  };
}

/** In days; none for a date that is still to come. */
function ageOf(date: string, now: Date): number {
  return Math.max(0, daysSince(date, now));
}

export function toOverrideViews(
  overrides: readonly PackOverride[],
): { rule_id: string; enabled: boolean; level: PackOverride['level'] }[] {
  return overrides.map(({ ruleId, enabled, level }) => ({ rule_id: ruleId, enabled, level }));
}

/**
 * ATT&CK tactics in their fixed order (resolved-platform 8.1). Since version 19, stealth and defense
 * impairment are what was defense evasion; rules name either.
 */
export const tactics = [
  'reconnaissance',
  'resource_development',
  'initial_access',
  'execution',
  'persistence',
  'privilege_escalation',
  'defense_evasion',
  'stealth',
  'defense_impairment',
  'credential_access',
  'discovery',
  'lateral_movement',
  'collection',
  'command_and_control',
  'exfiltration',
  'impact',
] as const;

export type Tactic = (typeof tactics)[number];

/** A rule tag without `attack.`, lower-case, `-` and blanks as `_`; null for other name spaces. */
export function attackTag(tag: string): string | null {
  const lower = tag.toLowerCase();
  return lower.startsWith('attack.') ? lower.slice('attack.'.length).replace(/[- ]/g, '_') : null;
}

/** Tactics that a rule's tags name, in the fixed order. */
export function tacticsOf(tags: readonly string[]): Tactic[] {
  const named = new Set(tags.map(attackTag));
  return tactics.filter((tactic) => named.has(tactic));
}

/** Technique ids that a rule's tags name, upper-case: `T1059.001`. */
export function techniquesOf(tags: readonly string[]): string[] {
  return tags
    .map(attackTag)
    .filter((tag) => tag !== null && /^t\d{4}/.test(tag))
    .map((tag) => (tag as string).toUpperCase());
}

/** Colours of resolved-platform 8.1; the two tactics of version 19 have shades of what they were. */
export const tacticColors: Readonly<Record<TacticGroup, string>> = {
  reconnaissance: '#b04bff',
  resource_development: '#7c3aed',
  initial_access: '#e11d48',
  execution: '#f97316',
  persistence: '#eab308',
  privilege_escalation: '#84cc16',
  defense_evasion: '#22c55e',
  stealth: '#16a34a',
  defense_impairment: '#15803d',
  credential_access: '#14b8a6',
  discovery: '#38bdf8',
  lateral_movement: '#3b82f6',
  collection: '#6366f1',
  command_and_control: '#a855f7',
  exfiltration: '#ec4899',
  impact: '#ef4444',
  _other: '#4b5563',
};

/** Where matches of rules without a tactic are counted. */
export const otherTactic = '_other';
export type TacticGroup = Tactic | typeof otherTactic;

/**
 * The tactic that the matches of each rule are shown under (resolved-platform 8.1): the earliest that its tags
 * name, or the one that its techniques most often go with in the other rules.
 */
export function tacticGroups(rules: readonly { readonly tags: readonly string[] }[]): TacticGroup[] {
  const learned = new Map<string, Map<Tactic, number>>();
  const own = rules.map(({ tags }) => tacticsOf(tags)[0]);
  for (const [index, { tags }] of rules.entries()) {
    const tactic = own[index];
    if (tactic === undefined) continue;
    for (const technique of techniquesOf(tags)) {
      const counts = learned.get(technique) ?? new Map<Tactic, number>();
      learned.set(technique, counts.set(tactic, (counts.get(tactic) ?? 0) + 1));
    }
  }
  const mostOften = (technique: string): Tactic | undefined =>
    [...(learned.get(technique) ?? [])].sort(
      ([a, less], [b, more]) => more - less || tactics.indexOf(a) - tactics.indexOf(b),
    )[0]?.[0];
  return rules.map(({ tags }, index) => {
    const known = techniquesOf(tags).flatMap((technique) => mostOften(technique) ?? []);
    return own[index] ?? known[0] ?? otherTactic;
  });
}

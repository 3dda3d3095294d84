/** ATT&CK tactics in their fixed order (resolved-platform 8.1). */
export const tactics = [
  'reconnaissance',
  'resource_development',
  'initial_access',
  'execution',
  'persistence',
  'privilege_escalation',
  'defense_evasion',
  'credential_access',
  'discovery',
  'lateral_movement',
  'collection',
  'command_and_control',
  'exfiltration',
  'impact',
] as const;

export type Tactic = (typeof tactics)[number];

/** What version 19 of ATT&CK split defense evasion into: rules name either. */
const splitTactics: Readonly<Record<string, Tactic | undefined>> = {
  stealth: 'defense_evasion',
  defense_impairment: 'defense_evasion',
};

/** The tactic that a name of any version means; a name of no tactic stays. */
export function tacticNow(name: string): string {
  return splitTactics[name] ?? name;
}

/** The names that a tactic has, or had, in the tags of rules. */
export function namesOfTactic(tactic: Tactic): readonly string[] {
  return [tactic, ...Object.keys(splitTactics).filter((name) => splitTactics[name] === tactic)];
}

/** A rule tag without `attack.`, lower-case, `-` and blanks as `_`; null for other name spaces. */
export function attackTag(tag: string): string | null {
  const lower = tag.toLowerCase();
  return lower.startsWith('attack.') ? tacticNow(lower.slice('attack.'.length).replace(/[- ]/g, '_')) : null;
}

/** Tactics that a rule's tags name, in the fixed order. */
export function tacticsOf(tags: readonly string[]): Tactic[] {
  const named = new Set(tags.map(attackTag));
  return tactics.filter((tactic) => named.has(tactic));
}

/** Colours of resolved-platform 8.1. */
export const tacticColors: Readonly<Record<TacticGroup, string>> = {
  reconnaissance: '#b04bff',
  resource_development: '#7c3aed',
  initial_access: '#e11d48',
  execution: '#f97316',
  persistence: '#eab308',
  privilege_escalation: '#84cc16',
  defense_evasion: '#22c55e',
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

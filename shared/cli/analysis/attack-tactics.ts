import { attackTag, tactics } from '@svc/domain';

/** ATT&CK 19 has two tactics for what was defense evasion before; rules name either. */
const since19 = ['stealth', 'defense_impairment'] as const;

/** All tactics that rules name, in the order of an intrusion. */
export const attackTactics = tactics.flatMap((tactic) =>
  tactic === 'defense_evasion' ? [tactic, ...since19] : [tactic],
);
export type AttackTactic = (typeof attackTactics)[number];

/** Tactics that a rule's tags name, in that order. */
export function attackTacticsOf(tags: readonly string[]): AttackTactic[] {
  const named = new Set(tags.map(attackTag));
  return attackTactics.filter((tactic) => named.has(tactic));
}

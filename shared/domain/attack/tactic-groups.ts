import { otherTactic, tactics, tacticsOf, type Tactic, type TacticGroup } from '../tactics.ts';
import { techniquesOf } from './techniques.ts';

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

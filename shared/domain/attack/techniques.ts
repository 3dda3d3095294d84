import attack from './attack.json' with { type: 'json' };
import { attackTag, otherTactic, type Tactic, type TacticGroup, tacticsOf } from '../tactics.ts';

/** The version of ATT&CK that everything is told in, whichever the author of a rule had: `18.1`. */
export const attackVersion = attack.version;

const techniques: Readonly<Record<string, { readonly name: string; readonly tactics: readonly string[] } | undefined>> =
  attack.techniques;
const renamed: Readonly<Record<string, string | undefined>> = attack.renamed;

/** Technique ids that a rule's tags name, each once, upper-case and as this version numbers them: `T1059.001`. */
export function techniquesOf(tags: readonly string[]): string[] {
  const named = tags.map(attackTag).filter((tag) => tag !== null && /^t\d{4}/.test(tag));
  return [...new Set(named.map((tag) => techniqueNow((tag as string).toUpperCase())))];
}

/** The id that this version gives a technique of another one; an id that is not known stays. */
export function techniqueNow(id: string): string {
  return Object.hasOwn(renamed, id) ? renamed[id]! : id;
}

/** `Password Guessing` of `T1110.001`; undefined for an id that this version does not have. */
export function techniqueName(id: string): string | undefined {
  return known(id)?.name;
}

function known(id: string) {
  return Object.hasOwn(techniques, id) ? techniques[id] : undefined;
}

/** `T1110.001 Brute Force: Password Guessing`; the id alone where no name is known. */
export function techniqueTitle(id: string): string {
  const parent = id.includes('.') ? techniqueName(id.replace(/\..*$/, '')) : undefined;
  const name = [parent, techniqueName(id)].filter(Boolean).join(': ');
  return name === '' ? id : `${id} ${name}`;
}

/** Every technique of this version, by its id. */
export function techniqueTitles(): { readonly id: string; readonly title: string }[] {
  return Object.keys(techniques).map((id) => ({ id, title: techniqueTitle(id) }));
}

/** Tactics that ATT&CK puts a technique under, in its order; none for an id that is not known. */
export function tacticsOfTechnique(id: string): readonly Tactic[] {
  return (known(id)?.tactics ?? []) as readonly Tactic[];
}

/** Where a technique of a rule stands among the tactics; an empty technique is for a tactic that has none of them. */
export interface AttackPlace {
  readonly tactic: TacticGroup;
  readonly technique: string;
}

/**
 * Where the tags of a rule put it in the matrix. A technique stands under those of the rule's tactics that ATT&CK gives
 * it; if the rule names none of these, under all that ATT&CK gives it. What ATT&CK does not know goes where the rule
 * says.
 */
export function attackPlaces(tags: readonly string[]): AttackPlace[] {
  const named = tacticsOf(tags);
  const places = techniquesOf(tags).flatMap((technique) => {
    const given = tacticsOfTechnique(technique);
    const both = named.filter((tactic) => given.includes(tactic));
    const under = both.length > 0 ? both : given.length > 0 ? given : named.length > 0 ? named : [otherTactic];
    return (under as readonly TacticGroup[]).map((tactic): AttackPlace => ({ tactic, technique }));
  });
  const taken = new Set(places.map(({ tactic }) => tactic));
  const bare = named.filter((tactic) => !taken.has(tactic)).map((tactic): AttackPlace => ({ tactic, technique: '' }));
  return [...places, ...bare];
}

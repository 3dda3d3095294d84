/** How an entity meets a list: its whole value, its end, or a name and all below it (resolved-intel 12). */
export const listMatches = ['exact', 'suffix', 'domain'] as const;
export type ListMatch = (typeof listMatches)[number];

export const ruleListLimits = {
  name: 50,
  description: 500,
  values: 2000,
  value: 200,
  url: 500,
  refreshHours: 168,
  error: 300,
  /** Of the values that it had, what a source must still have for them to be taken without asking. */
  leastKept: 0.5,
  /** Values that lists of lists show. */
  shown: 20,
} as const;

/** A named set of values that searches and rules ask for with `list:name`. */
export interface RuleList {
  readonly id: number;
  readonly name: string;
  readonly match: ListMatch;
  readonly description: string;
  /** Lower-case, in their order, each once. */
  readonly values: readonly string[];
  readonly sourceUrl: string | null;
  /** 0: only when somebody asks for it. */
  readonly refreshHours: number;
  readonly lastFetchedAt: Date | null;
  /** Null when it was never fetched. */
  readonly lastFetchOk: boolean | null;
  readonly lastFetchError: string | null;
  /** Of the answer that its values are from. */
  readonly sourceEtag: string | null;
  /** Of what was shipped; null when it has never been seeded, or was changed since. */
  readonly seedHash: string | null;
}

/** What lower-casing leaves of capitals, since compatibility forms hid them, with what they are in small. */
export const listFolding = {
  from: 'ΥΎΫAÆBDEƎGHIJKLMNOȢPRTUWCƐFQSZXΓΠVΩĦYΑΒΔΕΖΗΘΙΚΛΜΝΞΟΡΣΤΦΧΨϜς',
  to: 'υύϋaæbdeǝghijklmnoȣprtuwcɛfqszxγπvωħyαβδεζηθικλμνξορστφχψϝσ',
} as const;

const folded = new Map(
  Array.from(listFolding.from, (letter, place) => [letter, Array.from(listFolding.to)[place]!] as const),
);
const foldable = new RegExp(`[${listFolding.from}]`, 'gu');

/** What two values have in common that lists take for one: without differences of case and of width. */
export function listKey(value: string): string {
  const lower = value.toLowerCase();
  // Nothing to fold, as of most.
  if (!/[^\0-\x7f]/.test(lower)) return lower;
  const plain = lower.normalize('NFKC');
  return plain.replace(foldable, (letter) => folded.get(letter)!).replaceAll('ß', 'ss');
}

/**
 * The values of a list as it keeps them: of text those between line breaks and commas, but for lines in quotes, which are
 * one value each. In their order, each once, blank ones left out.
 */
export function listValues(given: string | readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const one of typeof given === 'string' ? given.split(/[\r\n]+/).flatMap(piecesOf) : given) {
    const value = one.normalize('NFKC').toLowerCase().trim();
    const key = listKey(value);
    if (value !== '' && !found.has(key)) found.set(key, value);
  }
  return [...found.values()];
}

/** Text of which {@link listValues} makes these values. */
export function listText(values: readonly string[]): string {
  return values.map((value) => (value.includes(',') ? `"${value}"` : value)).join('\n');
}

function piecesOf(line: string): string[] {
  const quoted = /^\s*"([^"]*)"\s*$/.exec(line)?.[1];
  return quoted === undefined ? line.split(',') : [quoted];
}

/** Tells of each value whether it is in a list. */
export function listMatcher({ match, values }: Pick<RuleList, 'match' | 'values'>): (value: string) => boolean {
  const keys = new Set(values.map(listKey));
  if (match === 'exact') return (value) => keys.has(listKey(value));
  if (match === 'domain') {
    return (value) => {
      const key = listKey(value);
      if (keys.has(key)) return true;
      for (let at = key.indexOf('.'); at >= 0; at = key.indexOf('.', at + 1)) {
        if (keys.has(key.slice(at + 1))) return true;
      }
      return false;
    };
  }
  const lengths = [...new Set([...keys].map(({ length }) => length))];
  return (value) => {
    const key = listKey(value);
    return lengths.some((length) => length <= key.length && keys.has(key.slice(key.length - length)));
  };
}

/** `in:(…)` that asks the same as an exact list; null where there is none. */
export function listAsSet({ match, values }: Pick<RuleList, 'match' | 'values'>, most: number): string | null {
  const isPlain = values.every((value) => !/[(),"]/.test(value));
  return match === 'exact' && isPlain && values.length <= most ? `in:(${values.join(',')})` : null;
}

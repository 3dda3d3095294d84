/** Keys of terms that ask what the results of a job hold: things that matched events name, and the rules. */
export const heldKeys = ['rule', 'host', 'user', 'ip', 'hash', 'technique', 'program', 'domain'] as const;
export type HeldKey = (typeof heldKeys)[number];

/** What is looked for of a longer value, and kept of it. */
const longestValue = 500;
/** Words kept of one task: beyond them, a job is not found by the rest. */
const mostWords = 20_000;

/** What a task found, as far as searches ask for it; values as results have them. */
export interface HeldResults {
  readonly rules: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly techniques: readonly string[];
  }[];
  readonly values: Readonly<Record<Exclude<HeldKey, 'rule' | 'technique'>, readonly string[]>>;
}

/** The word that a value of a term is looked for by, whatever its case: `host:ws01`. */
export function heldWord(key: HeldKey, value: string): string {
  return `${key}:${value.trim().slice(0, longestValue).toLowerCase()}`;
}

/**
 * The words that a task’s results are found by: each value whole, and by what people call it: a host by its name without
 * the domain, an account without either, a program without its `.exe`, a rule by its id and each word of its name, a
 * sub-technique by its technique.
 */
export function heldWords({ rules, values }: HeldResults): string[] {
  const words = new Set<string>();
  const add = (key: HeldKey, all: readonly string[]): void => {
    for (const value of all) if (value.trim() !== '' && words.size < mostWords) words.add(heldWord(key, value));
  };
  for (const { id, name, techniques } of rules) {
    add('rule', [name, ...(id === null ? [] : [id]), ...name.split(/[^\p{L}\p{N}]+/u)]);
    add(
      'technique',
      techniques.flatMap((technique) => [technique, technique.replace(/\..*$/, '')]),
    );
  }
  for (const key of heldKeys) {
    if (key === 'rule' || key === 'technique') continue;
    for (const value of values[key]) add(key, [value, ...otherNames(key, value.trim())]);
  }
  return [...words];
}

/** The one spelling of an address, as matched events are read; null for what is none. */
export function foldedAddress(text: string): string | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return text.split('.').every((part) => Number(part) < 256) ? text : null;
  const url = `http://[${text}]/`;
  return text.includes(':') && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : null;
}

function otherNames(key: HeldKey, value: string): string[] {
  if (key === 'host') return foldedAddress(value) === null ? [value.replace(/\..*$/s, '')] : [];
  if (key === 'user') return [value.replace(/^.*\\/s, '').replace(/@.*$/s, '')];
  return key === 'program' ? [value.replace(/\.exe$/i, '')] : [];
}

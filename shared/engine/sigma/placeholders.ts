import { RuleError } from './problem.ts';

/** Placeholder name in lower case to the Sigma strings it stands for (detection-engine 1.8). */
export type Placeholders = ReadonlyMap<string, readonly string[]>;

const mostCombinations = 10_000;

/** A backslash with what it makes plain, a placeholder, or any other text. */
const token = /\\[\\%]|%([^%\s\\]+)%|[^\\%]+|[\\%]/g;

/** All texts that a value with `%name%` placeholders stands for; still Sigma strings, to be parsed. */
export function expandPlaceholders(text: string, placeholders: Placeholders): string[] {
  let variants = [''];
  const missing: string[] = [];
  for (const [piece, name] of text.matchAll(token)) {
    if (name === undefined) {
      const plain = piece === '\\%' ? '%' : piece;
      variants = variants.map((variant) => variant + plain);
      continue;
    }
    const values = placeholders.get(name.toLowerCase());
    if (values === undefined) {
      missing.push(name);
      continue;
    }
    if (variants.length * values.length > mostCombinations) {
      throw new RuleError(`“${text}” stands for more than ${mostCombinations} values`);
    }
    variants = variants.flatMap((variant) => values.map((value) => variant + value));
  }
  if (missing.length > 0) {
    throw new RuleError(`no values are configured for the placeholder ${missing.map((one) => `%${one}%`).join(', ')}`);
  }
  return variants;
}

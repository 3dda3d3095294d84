import { RuleError } from './problem.ts';

/** Placeholder name in lower case to the Sigma strings it stands for (detection-engine 1.8). */
export type Placeholders = ReadonlyMap<string, readonly string[]>;

const mostCombinations = 10_000;

/** All texts that a value with `%name%` placeholders stands for. */
export function expandPlaceholders(text: string, placeholders: Placeholders): string[] {
  const pieces = text.split(/(?<!\\)%([^%\s]+)(?<!\\)%/);
  let variants = [''];
  const missing: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 0) {
      variants = variants.map((variant) => variant + piece.replaceAll('\\%', '%'));
      continue;
    }
    const values = placeholders.get(piece.toLowerCase());
    if (values === undefined) {
      missing.push(piece);
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

import { isMapping } from './mapping.ts';
import { RuleError } from './problem.ts';
import { readDocuments } from './yaml-documents.ts';

/** Placeholder name in lower case to the Sigma strings it stands for (detection-engine 1.8). */
export type Placeholders = ReadonlyMap<string, readonly string[]>;

/** What becomes of a rule whose placeholder has no values: it is rejected, or the placeholder is any text. */
export type UnknownPlaceholders = 'reject' | 'any';

/**
 * Reads placeholder sets: a YAML map of names to a value or a list of values, Sigma strings with
 * wildcards. Throws a `RangeError` naming the line of what is none.
 */
export function readPlaceholders(text: string): Placeholders {
  const [document, second] = readDocuments(text);
  if (document === undefined) return new Map();
  if ('message' in document) return refuse(document.line, document.message);
  if (second !== undefined) refuse(second.line, 'There is more than one document');
  if (!isMapping(document.value)) return refuse(document.line, 'The placeholders are not a map of names to values');
  const placeholders = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(document.value)) {
    const values = (Array.isArray(value) ? (value as unknown[]) : [value]).map(valueText);
    const line = document.lineOf([name]);
    const key = name.replaceAll('%', '').toLowerCase();
    if (placeholders.has(key)) refuse(line, `The placeholder ${name} is given twice`);
    placeholders.set(
      key,
      values.map((one) => one ?? refuse(line, `A value of the placeholder ${name} is neither text nor a number`)),
    );
  }
  return placeholders;
}

function refuse(line: number, reason: string): never {
  throw new RangeError(`line ${line}: ${reason}`);
}

function valueText(value: unknown): string | undefined {
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : undefined;
}

const mostCombinations = 10_000;

/** A backslash with what it makes plain, a placeholder, or any other text. */
const token = /\\[\\%]|%([^%\s\\]+)%|[^\\%]+|[\\%]/g;

/**
 * All texts that a value with `%name%` placeholders stands for; still Sigma strings, to be parsed.
 * @param valuesOf gives the values of a placeholder by its name as written.
 */
export function expandPlaceholders(text: string, valuesOf: (name: string) => readonly string[]): string[] {
  let variants = [''];
  for (const [piece, name] of text.matchAll(token)) {
    const values = name === undefined ? [piece === '\\%' ? '%' : piece] : valuesOf(name);
    if (variants.length * values.length > mostCombinations) {
      throw new RuleError(`“${text}” stands for more than ${mostCombinations} values`);
    }
    variants = variants.flatMap((variant) => values.map((value) => variant + value));
  }
  return variants;
}

import { load } from 'js-yaml';

/** How a value of a rule is compared, as far as the matched part of an event can be shown. */
export type Comparison = 'contains' | 'startswith' | 'endswith' | 'equals' | 'other';

/** One field (null: the whole record) that a rule asks for, with the texts it looks for there. */
export interface RuleTerm {
  readonly field: string | null;
  readonly comparison: Comparison;
  /** Dashes and slashes before options count as one. */
  readonly anyDash: boolean;
  readonly values: readonly string[];
}

/** What a reader wants to know of a rule before its source. */
export interface RuleFacts {
  readonly description: string | null;
  readonly author: string | null;
  readonly status: string | null;
  readonly date: string | null;
  readonly logsource: string | null;
  readonly references: readonly string[];
  readonly falsePositives: readonly string[];
  readonly terms: readonly RuleTerm[];
  /** What a responder makes of a match; null where the rule does not say. */
  readonly explanation: RuleExplanation | null;
}

export interface RuleExplanation {
  readonly meaning: string;
  readonly check: readonly string[];
  /** What else matches often. */
  readonly benign: string | null;
}

type Mapping = Record<string, unknown>;

/** Reads a Sigma rule for showing; null when the text is no rule. */
export function readRule(content: string): RuleFacts | null {
  const rule = firstDocument(content);
  if (rule === null) return null;
  const source = isMapping(rule['logsource']) ? rule['logsource'] : {};
  const detection = isMapping(rule['detection']) ? rule['detection'] : {};
  return {
    description: unwrapped(textOf(rule['description'])),
    author: textOf(rule['author']),
    status: textOf(rule['status']),
    date: textOf(rule['modified']) ?? textOf(rule['date']),
    logsource: [source['product'], source['category'], source['service']].filter(Boolean).join(' / ') || null,
    references: listOf(rule['references']),
    falsePositives: listOf(rule['falsepositives']),
    terms: termsOf(detection),
    explanation: explanationOf(rule['explanation']),
  };
}

/** A key of this service’s own, which other tools leave alone. */
function explanationOf(written: unknown): RuleExplanation | null {
  if (!isMapping(written)) return null;
  const meaning = unwrapped(textOf(written['meaning']));
  const benign = unwrapped(textOf(written['benign']));
  return meaning === null ? null : { meaning, check: listOf(written['check']), benign };
}

function firstDocument(content: string): Mapping | null {
  try {
    const rule = load(content.split(/^---\s*$/m).find((part) => part.trim() !== '') ?? '');
    return isMapping(rule) ? rule : null;
  } catch {
    return null;
  }
}

function termsOf(detection: Mapping): RuleTerm[] {
  const excluded = negatedNames([detection['condition']].flat().join(' ; '));
  return Object.entries(detection)
    .filter(([name]) => name !== 'condition' && name !== 'timeframe' && !excluded.some((pattern) => pattern.test(name)))
    .flatMap(([, selection]) => selectionTerms(selection));
}

function selectionTerms(selection: unknown): RuleTerm[] {
  if (Array.isArray(selection)) {
    const keywords = selection.filter((item) => !isMapping(item)).map(String);
    const nested = selection.filter(isMapping).flatMap(selectionTerms);
    return keywords.length > 0
      ? [{ field: null, comparison: 'contains', anyDash: false, values: keywords }, ...nested]
      : nested;
  }
  if (!isMapping(selection)) return [];
  return Object.entries(selection).map(([key, value]) => {
    const [field = '', ...modifiers] = key.split('|');
    return {
      field: field === '' ? null : field,
      comparison: comparisonOf(field, modifiers),
      anyDash: modifiers.includes('windash'),
      values: [value]
        .flat()
        .filter((item) => item !== null && item !== '')
        .map(String),
    };
  });
}

const plain = new Set(['all', 'cased', 'windash']);

function comparisonOf(field: string, modifiers: readonly string[]): Comparison {
  const [first, ...more] = modifiers.filter((modifier) => !plain.has(modifier));
  if (first === undefined) return field === '' ? 'contains' : 'equals';
  const shown = first === 'contains' || first === 'startswith' || first === 'endswith';
  return shown && more.length === 0 ? first : 'other';
}

/** Selections that a condition asks to be absent: what follows `not`, also in brackets or as a pattern. */
function negatedNames(condition: string): RegExp[] {
  const names: string[] = [];
  let depth = 0;
  const negated: number[] = [];
  let pending = false;
  for (const [token] of condition.matchAll(/[()]|[\w*-]+/g)) {
    if (token === '(') {
      depth += 1;
      if (pending) negated.push(depth);
    } else if (token === ')') {
      if (negated.at(-1) === depth) negated.pop();
      depth -= 1;
    } else if (token === 'not') {
      pending = true;
      continue;
    } else if (/^(1|all|any|of|and|or)$/.test(token)) {
      // `not 1 of filter_*`: the negation reaches over these words to the name.
      continue;
    } else if (pending || negated.length > 0) {
      names.push(token);
    }
    pending = false;
  }
  return names.map((name) => new RegExp(`^${name.replaceAll('*', '.*')}$`));
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : null;
}

function listOf(value: unknown): string[] {
  return [value]
    .flat()
    .filter((item) => item !== null && item !== undefined)
    .map(String);
}

/** Lines that were only broken to fit an editor are joined; paragraphs and lists stay. */
function unwrapped(text: string | null): string | null {
  return text === null ? null : text.replace(/([^\n])\n(?!\n|\s*(?:[-*•]|\d+[.)])\s)/g, '$1 ');
}

import type { z } from 'zod';

const kinds: Readonly<Record<string, string>> = { int: 'a whole number', number: 'a number' };

/**
 * What the value of a variable must be, for `safeParse` of the environment: where its schema has no sentence of its
 * own, the library's is one for programmers. Never says the value, which may be a secret.
 */
export const settingSentence: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? 'written otherwise'}`;
    case 'invalid_value':
      return issue.expected === 'stringbool' ? 'must be true or false' : `must be ${either(issue.values)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'invalid_format':
    case 'invalid_union':
      return 'must be written otherwise, as docs/configuration.md says';
    default:
      return undefined;
  }
};

/** One of these, as a person says it. */
function either(values: readonly unknown[]): string {
  const words = values.map(String);
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

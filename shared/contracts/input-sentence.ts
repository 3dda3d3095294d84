import type { z } from 'zod';

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};

const formats: Readonly<Record<string, string>> = {
  datetime: 'a time in UTC, like 2026-08-01T10:15:00Z',
  uuid: 'a UUID',
};

/**
 * What a value that was sent must be, for `safeParse` of an input: where its schema has no sentence of its own, the
 * library's is one for programmers.
 */
export const inputSentence: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? 'something else'}`;
    case 'invalid_value':
      return issue.expected === 'stringbool' ? 'must be true or false' : oneOf(issue.values);
    case 'too_big':
      return bound(issue.origin, `at most ${issue.maximum}`);
    case 'too_small':
      return issue.minimum === 1 && issue.origin !== 'number'
        ? 'must not be empty'
        : bound(issue.origin, `at least ${issue.minimum}`);
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'written otherwise'}`;
    default:
      return undefined;
  }
};

function oneOf(values: readonly unknown[]): string {
  const named = values.filter((value) => value !== '');
  return `must be one of ${named.join(', ')}${named.length < values.length ? ', or nothing' : ''}`;
}

function bound(origin: string, limit: string): string {
  if (origin === 'string') return `must have ${limit} characters`;
  return origin === 'array' ? `must have ${limit} entries` : `must be ${limit}`;
}

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Id, Switch } from './fields.ts';
import { inputSentence } from './input-sentence.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

describe('a number of a row', () => {
  it.each([
    [7, 7],
    ['7', 7],
    [' 2147483647 ', 2_147_483_647],
  ])('may be sent as %j', (sent, id) => expect(Id.parse(sent)).toBe(id));

  it.each([0, -1, 1.5, 2_147_483_648, '', '0', '1.5', '1e0', '0x1', true, null, [3], {}, undefined])(
    'is never %j',
    (sent) => expect(Id.safeParse(sent).success).toBe(false),
  );
});

it.each(['deleteJobs', 'rerunJobs'] as const)('several jobs may be sent to %s as a list or as text', (name) => {
  for (const ids of ['7, 8', [7, '8']]) {
    expect(operations[name].body.parse({ job_ids: ids })).toMatchObject({ job_ids: [7, 8] });
  }
});

it.each([
  [1, true],
  ['1', true],
  ['true', true],
  [0, false],
  ['0', false],
  [false, false],
])('a switch may be sent as %j', (sent, is) => expect(Switch.parse(sent)).toBe(is));

it.each([2, -1, '', 'maybe', null])('a switch is never %j', (sent) =>
  expect(Switch.safeParse(sent).success).toBe(false),
);

it('a text of a case that is not there is sent as it is read', () => {
  expect(operations.openCase.body.parse({ name: 'Wave', summary: null, severity: null })).toMatchObject({
    summary: '',
  });
  expect(operations.noteCaseJob.body.parse({ note: null })).toEqual({ note: '' });
  expect(operations.noteCaseJob.body.safeParse({}).success).toBe(false);
});

it.each(['2026-08-01', '2026-08-01T10:15:00Z', '2026-08-01T12:15:00+02:00'])('a feed may begin at %s', (since) =>
  expect(operations.getIocFeed.query.parse({ since })).toMatchObject({ since }),
);

it('a form has a document of rules as text or as a file', () => {
  const { form } = operations.importAlertRules;
  const document = { as_shared: false, dry_run: false, yaml_text: 'rules: []' };
  expect([form.parse({ yaml_text: 'rules: []' }), form.parse({ file: 'rules: []' })]).toEqual([document, document]);
  expect(form.safeParse({ dry_run: '1' }).error?.issues[0]?.message).toMatch(/^give the document/);
});

const amiss = ['x', '', 'x'.repeat(100_000), 0.5, -1, 1e300, true, null, [], ['x'], [{}], {}, Array(1000).fill('x')];

/** Every field that is sent, with its schema. */
const fields = Object.entries<Operation>(operations).flatMap(([name, { query, body, form }]) =>
  [query, body, form].flatMap((schema) => {
    const shape = schema instanceof z.ZodObject ? (schema.shape as Readonly<Record<string, z.ZodType>>) : {};
    return Object.entries(shape).map(([field, type]) => [`${name}: ${field}`, type] as const);
  }),
);

it('what is amiss is said in sentences of our own', () => {
  const said = fields.flatMap(([name, schema]) =>
    amiss.flatMap((sent) => {
      const { error } = schema.safeParse(sent, { error: inputSentence });
      return error?.issues.map(({ message }) => `${name}: ${message}`) ?? [];
    }),
  );
  expect(said.length).toBeGreaterThan(100);
  expect([...new Set(said)].filter((one) => !/: (must |at most |give )/.test(one))).toEqual([]);
  expect(said).toContain('listFindings: severity: must be one of critical, high, medium, low, informational');
  expect(said).toContain('findCases: status: must be one of open, monitoring, closed, all, or nothing');
  expect(said).toContain('createCase: name: must not be empty');
  expect(said).toContain('addComment: body: must have at most 4000 characters');
  expect(said).toContain('restoreNotifications: acknowledged_at: must be a time in UTC, like 2026-08-01T10:15:00Z');
});

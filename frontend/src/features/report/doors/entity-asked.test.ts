import { parseEntitySearch } from '@svc/domain';
import { expect, it } from 'vitest';
import { entityAsked } from './entity-asked.ts';

it('asks for a value whole, whatever stands in it', () => {
  const asked = entityAsked({ kind: 'user', value: 'CORP, Ltd\\al (x' });
  expect(asked?.types).toEqual(['user']);
  expect(parseEntitySearch(asked?.q ?? '')).toMatchObject({
    problems: [],
    terms: [{ condition: { key: 'in', values: ['corp, ltd\\al (x'] } }],
  });
});

it('does not ask for what is no entity, or would end the list', () => {
  expect([entityAsked({ kind: 'rule', value: 'x' }), entityAsked({ kind: 'host', value: 'a)b' })]).toEqual([
    null,
    null,
  ]);
});

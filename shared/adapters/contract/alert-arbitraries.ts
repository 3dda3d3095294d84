import { entityTypes } from '@svc/domain';
import * as fc from 'fast-check';

const values = [
  'a.exe',
  'b.exe',
  'admin',
  'svc-admin',
  '10.0.0.7',
  '10.1.0.7',
  '203.0.113.9',
  'evil.example',
  'x.evil.example',
  '100%',
  'WS01',
  'Ärger.exe',
  'new\nline',
];
const term = fc.constantFrom(
  'admin',
  '^a*',
  '*.exe$',
  'e*l',
  '100%',
  'cidr:10.0.0.0/8',
  're:/^[a-z]\\.exe$/',
  're:/\\badmin\\b/',
  're:/^[a-z]+.[a-z]+$/',
  're:/^.RGER|(n|\\.)+E.*[a-c]+$/',
  'in:(ws01,b.exe)',
  'type:user,exe',
  'is:watched',
  'has:finding',
  'attr:lolbin,machine',
  'tag:one',
  'tag:two',
  'tag:ns/',
  'label:ns/x',
  'jobs:1',
  'seen:<1d',
  'list:whole',
  'list:ends',
  'list:below',
);

const query = fc
  .array(fc.tuple(fc.constantFrom(' ', ' OR '), fc.constantFrom('', '-'), term), { maxLength: 3 })
  .map((parts) => parts.map(([join, minus, text], nth) => (nth === 0 ? '' : join) + minus + text).join(''));

/** Rules of up to three terms, which give tags that others ask for; of the lists `whole`, `ends` and `below`. */
export const rulesOnEntities = fc.array(
  fc.record({
    query,
    types: fc.subarray(entityTypes.slice(0, 6), { maxLength: 2 }),
    tag: fc.constantFrom('one', 'two', 'ns/x', 'other'),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Entities that a job names, by type and value. */
export const namedEntities = fc.uniqueArray(fc.tuple(fc.constantFrom(...entityTypes), fc.constantFrom(...values)), {
  minLength: 1,
  maxLength: 14,
  selector: ([type, value]) => `${type} ${value}`,
});

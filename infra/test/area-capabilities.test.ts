import { operations, type Area, type Operation } from '@svc/contracts';
import { expect, it } from 'vitest';
import { areaPorts } from '../../functions/area-ports.ts';
import { capabilitiesOf } from '../constructs/area-capabilities.ts';

const areas = Object.keys(areaPorts) as Area[];
const table: readonly Operation[] = Object.values(operations);

it.each(areas)('%s may ask who calls and how often', (area) => {
  expect(capabilitiesOf(area)).toEqual(expect.arrayContaining(['answers', 'cache', 'database', 'keys']));
});

it('gives what the ports do on AWS, and nothing else', () => {
  expect(capabilitiesOf('tags')).toEqual(['answers', 'cache', 'database', 'keys', 'queue']);
  expect(capabilitiesOf('system')).toEqual([
    'answers',
    'bucket-health',
    'cache',
    'database',
    'depths',
    'keys',
    'queue',
  ]);
  const ofRules = ['answers', 'cache', 'database', 'keys', 'objects', 'outputs', 'packs', 'queue'];
  expect(capabilitiesOf('rules')).toEqual(ofRules);
});

it.each(
  areas.filter((area) => table.some((operation) => operation.area === area && (operation.file || operation.raw))),
)('%s takes files, whose objects the middleware removes when a request fails', (area) =>
  expect(capabilitiesOf(area)).toContain('objects'),
);

it('has a function for every area of the operations', () => {
  expect([...new Set(table.map(({ area }) => area))].sort()).toEqual([...areas].sort());
});

import { mostHosts } from '@svc/domain';
import type { Finding } from '@svc/engine';
import { expect, it } from 'vitest';
import { toNewFinding } from './engine-output.ts';

const found: Finding = {
  ruleId: 'a',
  ruleName: 'A rule',
  severity: 'high',
  tags: [],
  author: null,
  count: 3,
  first: null,
  last: null,
  computers: ['ws2', 'dc1', 'ws1'],
  samples: [],
  ruleSource: '',
};

it('keeps all hosts of a finding, sorted, or none of so many', () => {
  expect(toNewFinding(found).hosts).toEqual(['dc1', 'ws1', 'ws2']);
  expect(toNewFinding({ ...found, computers: [] }).hosts).toEqual([]);
  const many = Array.from({ length: mostHosts + 1 }, (_, nth) => `ws${nth}`);
  expect(toNewFinding({ ...found, computers: many.slice(1) }).hosts).toHaveLength(mostHosts);
  expect(toNewFinding({ ...found, computers: many }).hosts).toBeNull();
});

import { describe, expect, it } from 'vitest';
import { namesTag, withTagRenamed } from './rename-tag-in-search.ts';
import type { SearchScope } from './saved-search.ts';

const renamed = (scope: SearchScope, query: Record<string, unknown>, to = 'actor/bear') =>
  withTagRenamed({ scope, query }, 'apt28', to);

describe.each(['jobs', 'entities'] as const)('a tag in a search of %s', (scope) => {
  it.each([
    ['tag:apt28', 'tag:actor/bear'],
    ['-TAG:APT28', '-tag:actor/bear'],
    ['tag:c2,apt28 tag:other OR  tag:apt28', 'tag:c2,actor/bear tag:other OR  tag:actor/bear'],
    ['"tag:apt28"', 'tag:actor/bear'],
    ['-tag:apt28,"two words" x', '-tag:actor/bear,"two words" x'],
    ['apt28', 'apt28'],
    ['tag:apt2', 'tag:apt2'],
  ])('%s', (q, expected) => {
    expect(renamed(scope, { q, sort: 'value' })).toEqual({ q: expected, sort: 'value' });
    expect(namesTag({ scope, query: { q } }, 'apt28')).toBe(expected !== q);
  });

  it('is renamed in the list of tags, where another stands for it once', () => {
    const query = { q: '', tags: ['c2', 'apt28', 'actor/bear'] };
    expect(renamed(scope, query)).toEqual({ q: '', tags: ['c2', 'actor/bear'] });
    expect(namesTag({ scope, query }, 'apt28')).toBe(true);
    expect(namesTag({ scope, query }, 'apt')).toBe(false);
  });

  it('takes a name with blanks, and none that cannot be written', () => {
    expect(renamed(scope, { q: 'tag:apt28 x' }, 'fancy bear')).toEqual({ q: 'tag:"fancy bear" x' });
    expect(renamed(scope, { q: 'tag:apt28 x' }, 'fancy "bear"')).toBeNull();
  });
});

it('is renamed in a label and a group, and not where the new name is an attribute', () => {
  expect(renamed('entities', { q: '(label:apt28 OR label:lolbin) seen:<7d' })).toEqual({
    q: '(label:actor/bear OR label:lolbin) seen:<7d',
  });
  expect(renamed('entities', { q: 'label:apt28' }, 'lolbin')).toBeNull();
});

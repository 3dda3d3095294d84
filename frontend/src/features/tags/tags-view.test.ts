import { expect, it } from 'vitest';
import { flat, grouped, tagsView } from './tags-view.ts';

it.each([
  [{}, {}],
  [
    { q: ' apt ', sort: 'count', page: '2' },
    { q: 'apt', sort: 'count', page: 2 },
  ],
  [{ q: 3, sort: 'name', page: '1' }, {}],
])('reads the address %j', (search, view) => expect(tagsView(search)).toEqual(view));

it('puts the tags of a namespace together below it, wherever they come', () => {
  const tags = ['apt', 'apt/28', 'c2', 'apt/29/x', '/odd', 'odd/'].map((tag) => ({ tag }));
  expect(
    grouped(tags).map((line) => (line.kind === 'tag' ? [line.namespace, line.rest] : [line.name, line.tags])),
  ).toEqual([
    [null, 'apt'],
    ['apt/', 2],
    ['apt/', '28'],
    ['apt/', '29/x'],
    [null, 'c2'],
    [null, '/odd'],
    [null, 'odd/'],
  ]);
  expect(flat(tags).map(({ rest }) => rest)).toEqual(['apt', '28', 'c2', '29/x', '/odd', 'odd/']);
});

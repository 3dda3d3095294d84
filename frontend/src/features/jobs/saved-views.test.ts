import { beforeEach, expect, it, vi } from 'vitest';
import { deleteView, savedViewLimits, savedViews, saveView, viewNamed } from './saved-views.ts';

const kept = new Map<string, string>();
const KEY = 'svc-jobs-saved-views';
let room = Number.POSITIVE_INFINITY;

beforeEach(() => {
  kept.clear();
  room = Number.POSITIVE_INFINITY;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, value);
    },
  });
});

it('keeps what the address holds but the page, by name', () => {
  expect(saveView(' To  triage ', { q: 'sev:critical', tags: ['vip'], page: 3, per: 100 })).toBeNull();
  expect(saveView('All', {})).toBeNull();
  expect(savedViews()).toEqual([
    { name: 'All', view: {} },
    { name: 'To triage', view: { q: 'sev:critical', tags: ['vip'], per: 100 } },
  ]);
});

it('has one view of a name, the last', () => {
  saveView('Mine', { q: 'a' });
  saveView('mine', { q: 'b' });
  expect(savedViews()).toEqual([{ name: 'mine', view: { q: 'b' } }]);
  expect(viewNamed(savedViews(), ' MINE ')?.view).toEqual({ q: 'b' });
  deleteView('mine');
  expect(savedViews()).toEqual([]);
});

it('takes so many and no more, but each of those again', () => {
  for (let id = 1; id <= savedViewLimits.count; id += 1) expect(saveView(`view ${id}`, {})).toBeNull();
  expect(saveView('one more', {})).toMatch(/Delete one/);
  expect(saveView('View 3', { q: 'x' })).toBeNull();
  expect(savedViews()).toHaveLength(savedViewLimits.count);
  expect(saveView('  ', {})).toMatch(/name/);
});

it('cuts names that are too long', () => {
  saveView('x'.repeat(61), {});
  expect(savedViews()[0]?.name).toBe('x'.repeat(60));
});

it.each(['{', 'null', '{"a":1}', '[null,1,"x",{"name":1,"view":{}},{"name":"n"},{"name":" ","view":{}}]'])(
  'has no views where %s is kept',
  (damaged) => {
    kept.set(KEY, damaged);
    expect(savedViews()).toEqual([]);
    expect(saveView('new', { q: 'a' })).toBeNull();
    expect(savedViews()).toEqual([{ name: 'new', view: { q: 'a' } }]);
  },
);

it('drops what makes no sense of a view', () => {
  kept.set(KEY, JSON.stringify([{ name: 'n', view: { q: 7, per: 33, view: 'huge', tags: ['a', 1], more: true } }]));
  expect(savedViews()).toEqual([{ name: 'n', view: { tags: ['a'] } }]);
});

it('says that storage is full, and has what it had', () => {
  saveView('a', {});
  room = 0;
  expect(saveView('b', {})).toMatch(/storage is full/);
  expect(savedViews()).toEqual([{ name: 'a', view: {} }]);
});

import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { inputSentence, operations } from '@svc/contracts';
import { savedSearchLimits, type Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listSavedSearches } from './list-saved-searches.ts';
import { changeSavedSearch, deleteSavedSearch, lookAtSearch, saveSearch } from './save-search.ts';

let test: TestPorts;
let ada: Actor;
let bob: Actor;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(async () => {
  await test.reset();
  [ada, bob] = [await member('ada@example.org'), await member('bob@example.org')];
});
afterAll(() => test.close());

async function member(email: string, role: 'member' | 'admin' = 'member'): Promise<Actor> {
  const account = { email, passwordHash: 'plain:x', role, displayName: null };
  const { id } = await test.ports.accounts.create(account);
  return { kind: 'account', userId: id, email, role, ip: '' };
}

const save = (who: Actor, name: string, q: string) =>
  saveSearch(test.ports, who, { name, scope: 'jobs', query: { q }, is_shared: false });
const list = (who: Actor, query: object = {}) =>
  listSavedSearches(test.ports, who, operations.listSavedSearches.query.parse(query));
const kept = async (who: Actor) => (await list(who)).searches.map(({ name, query }) => [name, query['q']]);

it('are sent as objects, or as the text of one', async () => {
  const read = (sent: object) => operations.saveSearch.body.parse({ name: 'Mine', ...sent });
  const saved = async (sent: object) => (await saveSearch(test.ports, ada, read(sent))).query;
  expect(await saved({ query: { q: 'a', zzz: 1 } })).toEqual({ q: 'a', zzz: 1 });
  expect(await saved({ query_json: '{"q":"b","zzz":1}' })).toEqual({ q: 'b', zzz: 1 });
  await expect(saved({})).rejects.toMatchObject({ code: 'bad_request', message: 'query is required' });
  for (const text of ['', '[]', '"a"', '{', JSON.stringify({ q: 'x'.repeat(savedSearchLimits.query) })]) {
    expect(() => read({ query_json: text })).toThrow(/query_json/);
  }
  const told = operations.saveSearch.body.safeParse({ name: 'Mine', query_json: '[]' }, { error: inputSentence });
  expect(told.error?.issues[0]?.message).toBe('must be an object');
});

it('are their owner’s alone, one of a name', async () => {
  await save(ada, 'Triage', 'sev:high');
  await save(ada, 'all', '');
  await save(bob, 'triage', 'b');
  expect(await save(ada, 'TRIAGE', 'sev:critical')).toMatchObject({ name: 'TRIAGE' });
  expect(await kept(ada)).toEqual([
    ['TRIAGE', 'sev:critical'],
    ['all', ''],
  ]);
  expect(await kept(bob)).toEqual([['triage', 'b']]);
});

it('are listed by pages, newest updated first, each once and all counted', async () => {
  const [first, last] = [Date.parse('2026-08-01T00:00:00Z'), 70];
  const others = await Promise.all(['cy@example.org', 'di@example.org'].map((email) => member(email)));
  const made: { id: number; at: number }[] = [];
  for (const [nth, who] of [ada, ...others].entries()) {
    for (let number = 0; number < last; number += 1) {
      // Several have the same time, and each third of others is shared.
      const updatedAt = new Date(first + ((number * 37 + nth) % 40) * 1000);
      const isShared = nth > 0 && number % 3 === 0;
      const ownerId = who.kind === 'account' ? who.userId : '';
      const scope = number % 10 === 9 ? 'entities' : 'jobs';
      const search = { name: `${nth} ${number}`, scope, query: {}, isShared, updatedAt } as const;
      const { id } = (await test.ports.savedSearches.save(ownerId, search))!;
      if (scope === 'jobs' && (nth === 0 || isShared)) made.push({ id, at: updatedAt.getTime() });
    }
  }
  const wanted = made.toSorted((a, b) => b.at - a.at || b.id - a.id).map(({ id }) => id);
  const numbered: number[] = [];
  for (let page = 1; page <= Math.ceil(wanted.length / 50); page += 1) {
    const found = await list(ada, { page });
    expect(found).toMatchObject({ page, total: wanted.length, total_pages: Math.ceil(wanted.length / 50) });
    numbered.push(...found.searches.map(({ id }) => id));
  }
  expect(numbered).toEqual(wanted);
  const along: (readonly number[])[] = [];
  let found = await list(ada);
  for (; found.older !== null; found = await list(ada, { cursor: found.older })) {
    along.push(found.searches.map(({ id }) => id));
  }
  expect([...along.flat(), ...found.searches.map(({ id }) => id)]).toEqual(wanted);
  for (const page of along.toReversed()) {
    found = await list(ada, { cursor: found.newer });
    expect(found.searches.map(({ id }) => id)).toEqual(page);
  }
  expect(found.newer).toBeNull();
  const end = await list(ada, { page: 1000 });
  expect(end).toMatchObject({ page: end.total_pages, older: null });
});

it('are deleted by their owner and by nobody else', async () => {
  const { id } = await save(ada, 'Triage', 'a');
  await expect(deleteSavedSearch(test.ports, bob, { id })).rejects.toMatchObject({ code: 'not_found' });
  await deleteSavedSearch(test.ports, ada, { id });
  expect(await kept(ada)).toEqual([]);
});

it('are so many and no more, but each of those again', async () => {
  for (let number = 1; number <= savedSearchLimits.perPerson; number += 1) await save(ada, `search ${number}`, 'a');
  await expect(save(ada, 'one more', 'a')).rejects.toMatchObject({ code: 'search_limit' });
  await save(ada, 'Search 3', 'b');
  expect(await list(ada)).toMatchObject({ total: savedSearchLimits.perPerson });
});

it('are found by all members once they are shared, and changed by their owner and administrators', async () => {
  const admin = await member('root@example.org', 'admin');
  const { id } = await save(ada, 'Triage', 'a');
  const change = (who: Actor, changed: object) => changeSavedSearch(test.ports, who, { id, ...changed });
  await expect(change(bob, { name: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(lookAtSearch(test.ports, bob, { id })).rejects.toMatchObject({ code: 'not_found' });
  expect(await change(ada, { is_shared: true })).toMatchObject({ is_shared: true, is_own: true, query: { q: 'a' } });
  const { searches } = await list(bob);
  expect(searches).toMatchObject([{ name: 'Triage', owner: 'ada', is_own: false, is_shared: true, looked_at: null }]);
  await expect(change(bob, { name: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(deleteSavedSearch(test.ports, bob, { id })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await change(admin, { name: 'Of all' })).toMatchObject({ name: 'Of all', is_own: false, is_shared: true });
  await save(ada, 'Other', 'b');
  await expect(change(ada, { name: 'OTHER' })).rejects.toMatchObject({ code: 'conflict' });
  expect(await change(admin, { is_shared: false })).toMatchObject({ is_shared: false });
  expect(await kept(bob)).toEqual([]);
  expect(await kept(admin)).toEqual([]);
});

it('keep of each who finds them when they last looked', async () => {
  const { id, looked_at: saved } = await save(ada, 'Triage', 'a');
  expect(saved).not.toBeNull();
  await changeSavedSearch(test.ports, ada, { id, is_shared: true });
  await lookAtSearch(test.ports, bob, { id });
  await lookAtSearch(test.ports, bob, { id });
  const looked = async (who: Actor) => (await list(who)).searches[0]!.looked_at;
  expect(await looked(ada)).toBe(saved);
  expect(await looked(bob)).not.toBeNull();
});

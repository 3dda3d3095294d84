import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { savedSearchLimits, type Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deleteSavedSearch } from './delete-saved-search.ts';
import { listSavedSearches } from './list-saved-searches.ts';
import { saveSearch } from './save-search.ts';

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

async function member(email: string): Promise<Actor> {
  const account = { email, passwordHash: 'plain:x', role: 'member', displayName: null } as const;
  const { id, role } = await test.ports.accounts.create(account);
  return { kind: 'account', userId: id, email, role, ip: '' };
}

const save = (who: Actor, name: string, q: string) =>
  saveSearch(test.ports, who, { name, scope: 'jobs', query: { q } });
const kept = async (who: Actor) =>
  (await listSavedSearches(test.ports, who, { scope: 'jobs' })).searches.map(({ name, query }) => [name, query['q']]);

it('are their owner’s alone, one of a name', async () => {
  await save(ada, 'Triage', 'sev:high');
  await save(ada, 'all', '');
  await save(bob, 'triage', 'b');
  expect(await save(ada, 'TRIAGE', 'sev:critical')).toMatchObject({ name: 'TRIAGE' });
  expect(await kept(ada)).toEqual([
    ['all', ''],
    ['TRIAGE', 'sev:critical'],
  ]);
  expect(await kept(bob)).toEqual([['triage', 'b']]);
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
  expect(await kept(ada)).toHaveLength(savedSearchLimits.perPerson);
});

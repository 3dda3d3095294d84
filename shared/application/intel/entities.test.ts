import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addComment } from '../discussions/add-comment.ts';
import { countNotifications } from '../discussions/count-notifications.ts';
import { deleteComment } from '../discussions/delete-comment.ts';
import { editComment } from '../discussions/edit-comment.ts';
import { listComments } from '../discussions/list-comments.ts';
import { drainHappenings } from '../happenings/drain-happenings.ts';
import type { Ports } from '../ports/ports.ts';
import { listSavedSearches } from '../jobs/list-saved-searches.ts';
import { lookAtSearch, saveSearch } from '../jobs/save-search.ts';
import { suggestJobSearch } from '../jobs/suggest-job-search.ts';
import { createTags, deleteTag, mergeTags, recolorTag, renameTag } from '../tags/change-tags.ts';
import { listTags } from '../tags/list-tags.ts';
import { tagJob } from '../tags/tag-job.ts';
import { allowlistEntities, toggleAllowlist } from './allowlist-entities.ts';
import { getEntity } from './get-entity.ts';
import { getIntel } from './get-intel.ts';
import { listEntityIds } from './list-entity-ids.ts';
import { searchNews } from './search-news.ts';
import { tagEntities, tagEntity, untagEntities, untagEntity } from './tag-entities.ts';
import { writeEntityNote } from './write-entity-note.ts';

let test: TestPorts;
let ports: Ports;
let member: Actor;
let alice: number;
let program: number;
let job: number;
beforeAll(async () => {
  test = await openTestPorts();
});
beforeEach(async () => {
  await test.reset();
  ports = test.ports;
  member = { ...(await addAdmin(ports)), role: 'member' };
  const intel = {
    entities: [
      { type: 'user' as const, value: 'Alice-Admin', count: 2 },
      { type: 'executable' as const, value: 'certutil.exe', count: 1 },
    ],
    findings: [],
    relationships: [],
    isTruncated: false,
  };
  test.engine.behave = async () => output({ derived: derived({ intel }) });
  job = await analyzeLog(ports, { kind: 'anonymous', ip: '192.0.2.1' });
  alice = (await ports.entities.find({ type: 'user', value: 'alice-admin' }))!;
  program = (await ports.entities.find({ type: 'executable', value: 'certutil.exe' }))!;
});
afterAll(() => test.close());

const shown = (id: number) => getEntity(ports, member, { id, job: null });
const notFound = { code: 'not_found' };
const noSearches = { update_references: false };

it('shows what an analysis has named, with what its value says', async () => {
  expect(await shown(alice)).toMatchObject({
    value: 'Alice-Admin',
    entity_type: 'user',
    job_count: 1,
    watchlist: false,
    allowlisted: false,
    notes: null,
    attributes: { looks_privileged: true, is_machine_account: false },
    attribute_keys: ['privileged'],
    tags: [],
  });
  expect(await shown(program)).toMatchObject({ attribute_keys: ['lolbin'] });
  await expect(shown(2_000_000_000)).rejects.toMatchObject(notFound);
});

it('allowlists with a reason, one or many', async () => {
  expect(await toggleAllowlist(ports, member, { id: alice, reason: 'ours' })).toEqual({ allowlisted: true });
  expect(await shown(alice)).toMatchObject({ allowlisted: true, allowlist_reason: 'ours' });
  const both = { entity_ids: [alice, program, 2_000_000_000], value: true, reason: '' };
  expect(await allowlistEntities(ports, member, both)).toEqual({ changed: 1, entity_ids: [program] });
  expect(await toggleAllowlist(ports, member, { id: alice, reason: '' })).toEqual({ allowlisted: false });
  await expect(toggleAllowlist(ports, member, { id: 2_000_000_000, reason: '' })).rejects.toMatchObject(notFound);
});

it('keeps a note from being lost that somebody wrote in between', async () => {
  const write = (body: string, expected?: string) =>
    writeEntityNote(ports, member, { id: alice, body, ...(expected === undefined ? {} : { if_updated_at: expected }) });
  const first = await write('seen before', '');
  expect(await shown(alice)).toMatchObject(first);
  await expect(write('never seen', '')).rejects.toMatchObject({ code: 'note_conflict' });
  const second = await write('seen twice', first.notes_updated_at!);
  expect(second.notes_updated_at).not.toBe(first.notes_updated_at);
  await expect(write('seen once', first.notes_updated_at!)).rejects.toMatchObject({ code: 'note_conflict' });
  expect(await write('')).toMatchObject({ notes: null });
});

it('is discussed by members, of whom nobody is told', async () => {
  const on = { target: 'entity', id: alice } as const;
  const said = await addComment(ports, member, { ...on, body: 'Ours, on leave' });
  expect(said).toMatchObject({ total: 1, comments: [{ body: 'Ours, on leave', can_edit: true, can_delete: true }] });
  const [comment] = said.comments;
  expect(await shown(alice)).toMatchObject({ comment_count: 1 });
  expect(await shown(program)).toMatchObject({ comment_count: 0 });
  const account = { email: 'o@example.org', passwordHash: 'x', role: 'member', displayName: null } as const;
  const { id: userId } = await ports.accounts.create(account);
  const other: Actor = { kind: 'account', userId, email: '', role: 'member', ip: '' };
  expect(await listComments(ports, other, on)).toMatchObject({ comments: [{ can_edit: false, can_delete: false }] });
  const change = { id: comment!.id, body: 'Ours' };
  await expect(editComment(ports, other, change)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(deleteComment(ports, other, change)).rejects.toMatchObject({ code: 'forbidden' });
  // Others than members learn nothing of it, not even that it is there.
  const user: Actor = { ...other, role: 'user' };
  for (const id of [alice, 2_000_000_000]) {
    await expect(listComments(ports, user, { ...on, id })).rejects.toMatchObject({ code: 'forbidden' });
  }
  await expect(deleteComment(ports, user, change)).rejects.toMatchObject(notFound);
  await expect(listComments(ports, member, { ...on, id: 2_000_000_000 })).rejects.toMatchObject(notFound);
  await drainHappenings(ports);
  expect(await countNotifications(ports, other)).toEqual({ unread: 0 });
  expect(await editComment(ports, member, change)).toMatchObject({ comments: [{ body: 'Ours' }] });
  expect(await deleteComment(ports, { ...other, role: 'admin' }, change)).toMatchObject({ total: 0 });
  expect(await shown(alice)).toMatchObject({ comment_count: 0 });
});

it('tags entities, one or many, and takes tags off', async () => {
  const tag = await tagEntity(ports, member, { id: alice, tag: 'APT/28, c2', color: 'red' });
  expect(tag.tags).toEqual([
    { tag: 'apt/28', color: 'red' },
    { tag: 'c2', color: 'red' },
  ]);
  const many = { entity_ids: [alice, program, 2_000_000_000], tag: ['c2'], color: [] };
  expect(await tagEntities(ports, member, many)).toEqual({ tagged: 2, links: 1, entity_ids: [program] });
  expect(await untagEntity(ports, member, { id: alice, tag: 'apt/28' })).toEqual({
    tags: [{ tag: 'c2', color: 'red' }],
  });
  expect(await untagEntities(ports, member, { entity_ids: [alice, program], tag: 'c2' })).toEqual({
    removed: 2,
    entity_ids: expect.arrayContaining([alice, program]),
  });
  for (const use of [tagEntity, untagEntity]) {
    await expect(use(ports, member, { id: 2_000_000_000, tag: 'c2', color: [] })).rejects.toMatchObject(notFound);
  }
});

it('leaves the first places of a search for jobs to the tags of jobs', async () => {
  await tagEntities(ports, member, { entity_ids: [alice, program], tag: 'c2', color: 'red' });
  await tagJob(ports, member, { id: job, tag: 'to-do', color: 'red' });
  const { suggestions } = await suggestJobSearch(ports, member, { q: 'tag:', pos: 4 });
  expect(suggestions.map(({ label, detail }) => `${label} ${detail}`)).toEqual(['to-do 1 job', 'c2 0 jobs']);
});

it('keeps the vocabulary in order for jobs and entities at once', async () => {
  await tagEntity(ports, member, { id: alice, tag: 'old', color: 'red' });
  await tagEntities(ports, member, { entity_ids: [alice, program], tag: 'new', color: 'blue' });
  await tagJob(ports, member, { id: job, tag: 'old', color: [] });
  const made = { tag: 'spare, old', color: '', description: 'for later' };
  expect(await createTags(ports, member, made)).toEqual({ created: ['spare'], existing: ['old'] });
  const list = async () => {
    const { tags, ...rest } = await listTags(ports, member, { q: '', sort: 'name', page: 9 });
    return [tags.map((one) => [one.tag, one.color, one.count, one.job_count]), rest] as const;
  };
  expect(await list()).toEqual([
    [
      ['new', 'blue', 2, 0],
      ['old', 'red', 1, 1],
      ['spare', 'gray', 0, 0],
    ],
    { total: 3, tagged_entities: 2, page: 1, total_pages: 1 },
  ]);
  expect(await renameTag(ports, member, { tag: 'spare', new_tag: 'Rare', color: 'teal', ...noSearches })).toEqual({
    tag: 'rare',
    color: 'teal',
    moved: 0,
    merged: false,
    updated: 0,
    references: [],
  });
  // Alice carries both, and keeps one.
  expect(await renameTag(ports, member, { tag: 'old', new_tag: 'new', color: '', ...noSearches })).toEqual({
    tag: 'new',
    color: 'blue',
    moved: 1,
    merged: true,
    updated: 0,
    references: [],
  });
  expect((await list())[0]).toEqual([
    ['new', 'blue', 2, 1],
    ['rare', 'teal', 0, 0],
  ]);
  expect(await recolorTag(ports, member, { tag: 'NEW', color: 'green' })).toEqual({ tag: 'new', color: 'green' });
  expect(await mergeTags(ports, member, { tag: 'new', into: 'rare', color: '', ...noSearches })).toMatchObject({
    moved: 3,
  });
  expect(await ports.tags.ofJob(job)).toEqual([{ name: 'rare', color: 'teal' }]);
  expect(await deleteTag(ports, member, { tag: 'rare' })).toEqual({ removed: 3 });
  expect((await list())[0]).toEqual([]);
  for (const gone of [
    () => renameTag(ports, member, { tag: 'rare', new_tag: 'x', color: '', ...noSearches }),
    () => mergeTags(ports, member, { tag: 'rare', into: 'x', color: '', ...noSearches }),
    () => recolorTag(ports, member, { tag: 'rare', color: 'red' }),
    () => deleteTag(ports, member, { tag: 'rare' }),
  ]) {
    await expect(gone()).rejects.toMatchObject(notFound);
  }
});

it('renames a tag in the caller’s searches where asked for, and names those that still say the old one', async () => {
  await tagEntity(ports, member, { id: alice, tag: 'old, other', color: 'red' });
  const { id: userId } = await ports.accounts.create({
    email: 'bob@example.org',
    passwordHash: 'x',
    role: 'member',
    displayName: null,
  });
  const bob: Actor = { kind: 'account', userId, email: '', role: 'member', ip: '' };
  const save = (who: Actor, name: string, query: object, isShared = false) =>
    saveSearch(ports, who, { name, scope: 'entities', query: { ...query }, is_shared: isShared });
  await save(member, 'Mine', { q: 'tag:old -tag:x', tags: ['old'] });
  await save(bob, 'Of all', { q: 'tag:old' }, true);
  await save(bob, 'Hidden', { q: 'tag:old' });
  const rename = { tag: 'old', new_tag: 'new', color: '' };
  expect((await renameTag(ports, member, { ...rename, update_references: true })).references).toMatchObject([
    { name: 'Of all', owner: 'bob', scope: 'entities' },
  ]);
  const queries = async (who: Actor) =>
    (await listSavedSearches(ports, who, { scope: 'entities', page: 1 })).searches.map(({ query }) => query);
  expect(await queries(member)).toEqual([{ q: 'tag:new -tag:x', tags: ['new'] }, { q: 'tag:old' }]);
  const merge = { tag: 'new', into: 'other', color: '', update_references: false };
  expect(await mergeTags(ports, member, merge)).toMatchObject({ updated: 0, references: [{ name: 'Mine' }] });
  expect(await queries(bob)).toEqual([{ q: 'tag:old' }, { q: 'tag:old' }]);
});

it('merges nothing with a tag that a shared rule gives, and renames the tag in the caller’s rules', async () => {
  const at = new Date('2026-01-01T00:00:00Z');
  const webhook = { url: null, method: 'POST', headers: {}, enabled: false } as const;
  const says = (name: string, query: string, gives: string) => ({
    name,
    description: '',
    scope: 'entity' as const,
    query,
    entityTypes: [],
    actionTags: [{ name: gives, color: 'red' }],
    notifies: false,
    webhook,
    tellsOfWatchedJobs: false,
  });
  const { userId } = member as Extract<Actor, { kind: 'account' }>;
  const add = (definition: ReturnType<typeof says>, key: string | null) =>
    ports.transaction(({ alertRules }) =>
      alertRules.insert({ definition, ownerId: key === null ? userId : null, key, enabled: true, by: userId, at }),
    );
  const shared = await add(says('Hosts to keep', 'tag:old', 'kept'), 'kept');
  const own = await add(says('Mine', 'tag:old -tag:x', 'old'), null);
  await tagEntity(ports, member, { id: alice, tag: 'old,other', color: 'red' });
  const rename = { color: '', update_references: true };
  const into = { tag: 'old', into: 'kept', ...rename };
  // Before the rule has given it, too.
  await expect(renameTag(ports, member, { tag: 'old', new_tag: ' KEPT', ...rename })).rejects.toMatchObject({
    code: 'tag_maintained',
    message: 'The tag “kept” is given by the shared rule “Hosts to keep”, so it cannot be merged',
  });
  await createTags(ports, member, { tag: ['kept'], color: [], description: '' });
  for (const merge of [into, { tag: 'kept', into: 'old', ...rename }]) {
    await expect(mergeTags(ports, member, merge)).rejects.toMatchObject({ code: 'tag_maintained' });
  }
  expect((await listTags(ports, member, { q: 'kept', sort: 'name', page: 1 })).tags).toMatchObject([
    { tag: 'kept', maintained_by: ['Hosts to keep'] },
  ]);
  expect(await getIntel(ports, member, { job: null })).toMatchObject({
    open_cases: 0,
    unacked_alerts: 0,
    tag_count: 3,
    labels: [{ tag: 'kept', name: 'Hosts to keep', color: 'gray' }],
  });
  // Renaming it is no merge: the rule makes it anew.
  expect(await renameTag(ports, member, { tag: 'kept', new_tag: 'held', ...rename })).toMatchObject({
    references: [{ kind: 'rule', id: shared, owner: null }],
  });
  expect(await renameTag(ports, member, { tag: 'old', new_tag: 'new', ...rename })).toMatchObject({
    updated: 1,
    references: [{ kind: 'rule', id: shared, name: 'Hosts to keep', scope: 'entities' }],
  });
  expect(await ports.alertRules.get(own)).toMatchObject({
    query: 'tag:new -tag:x',
    actionTags: [{ name: 'new', color: 'red' }],
  });
  await ports.transaction(({ alertRules }) => alertRules.switch(shared, false));
  expect(
    await mergeTags(ports, member, { tag: 'new', into: 'other', color: '', update_references: false }),
  ).toMatchObject({ tag: 'other', references: [{ kind: 'rule', id: own }] });
});

it('names all that meet a search, and what came since somebody looked at it', async () => {
  const asked = { q: 'type:user,exe', types: [], entity_type: [], tags: [], min_jobs: 0, watchlist: false, job: null };
  const order = { sort: 'last_seen', fold_aliases: false };
  const ids = (q: string) => listEntityIds(ports, member, { ...asked, ...order, q, include_allowlisted: true });
  expect(await ids('type:user,exe')).toEqual({ ids: [alice, program].sort((a, b) => b - a) });
  expect(await ids('nothing')).toEqual({ ids: [] });
  const saving = { name: 'Users', scope: 'entities', query: { q: '', types: ['user'] }, is_shared: true } as const;
  const { id } = await saveSearch(ports, member, saving);
  const news = (who: Actor = member) => searchNews(ports, who, { id });
  expect(await news()).toMatchObject({ first: 0, again: 0 });
  test.advance(60);
  const entities = ['Alice-Admin', 'bob', 'carol'].map((value) => ({ type: 'user' as const, value, count: 1 }));
  const intel = { entities, findings: [], relationships: [], isTruncated: false };
  test.engine.behave = async () => output({ derived: derived({ intel }) });
  await analyzeLog(ports, { kind: 'anonymous', ip: '192.0.2.1' });
  expect(await news()).toMatchObject({ first: 2, again: 1, is_floor: false });
  test.advance(60);
  await lookAtSearch(ports, member, { id });
  expect(await news()).toMatchObject({ first: 0, again: 0 });
  // Who has never looked is told of nothing.
  const account = { email: 'c@example.org', passwordHash: 'x', role: 'member', displayName: null } as const;
  const { id: userId } = await ports.accounts.create(account);
  const other: Actor = { kind: 'account', userId, email: '', role: 'member', ip: '' };
  expect(await news(other)).toEqual({ since: null, first: 0, again: 0, is_floor: false });
});

it('counts of private jobs only those that the viewer sees', async () => {
  const owner: Actor = { kind: 'account', userId: '', email: '', role: 'member', ip: '' };
  const { id: userId } = await ports.accounts.create({
    email: 'o@example.org',
    passwordHash: 'x',
    role: 'member',
    displayName: null,
  });
  const hidden = await analyzeLog(ports, { ...owner, userId }, { is_private: true });
  await tagJob(ports, { ...owner, userId }, { id: hidden, tag: 'board', color: [] });
  const uses = async (viewer: Actor) => (await listTags(ports, viewer, { q: 'BOARD', sort: 'recent', page: 1 })).tags;
  expect(await uses({ ...owner, userId })).toMatchObject([{ tag: 'board', job_count: 1 }]);
  expect(await uses(member)).toMatchObject([{ tag: 'board', job_count: 0, last_used: null }]);
  await tagJob(ports, { ...owner, userId }, { id: hidden, tag: 'other', color: [] });
  expect(await mergeTags(ports, member, { tag: 'other', into: 'board', color: '', ...noSearches })).toMatchObject({
    moved: 0,
  });
  expect(await deleteTag(ports, member, { tag: 'board' })).toEqual({ removed: 0 });
  // Totals of entities are everybody's (resolved-intel 22).
  expect(await shown(alice)).toMatchObject({ job_count: 2 });
});

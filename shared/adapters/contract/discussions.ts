import { writeComment } from '@svc/application/discussions/add-comment.ts';
import { removeComment } from '@svc/application/discussions/delete-comment.ts';
import { rewriteComment } from '@svc/application/discussions/edit-comment.ts';
import { drainHappenings } from '@svc/application/happenings/drain-happenings.ts';
import { giveTags } from '@svc/application/tags/give-tags.ts';
import { markJob } from '@svc/application/submissions/record-submission.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Discussed } from '@svc/application/discussions/comment-repository.ts';
import type { Actor, Role } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { account, at, jobFixture, marks, type JobPorts } from './job-fixture.ts';

type DiscussionPorts = JobPorts & Pick<Ports, 'cases' | 'comments' | 'log' | 'tags' | 'watches' | 'watchEvents'>;

const later = (seconds: number): Date => new Date(at.getTime() + seconds * 1000);

const member = (userId: string): Actor => account(userId, 'member');

/** What the repositories of comments, watches and their events do; `make` gives empty ones with workflows. */
export function discussionsContract(make: () => Promise<DiscussionPorts>): void {
  describe('discussions', () => {
    let ports: DiscussionPorts;
    const { submit } = jobFixture(async () => (ports = await make()));
    let ada: string;
    let eve: string;
    let job: number;
    beforeEach(async () => {
      [ada, eve] = [await person('ada'), await person('eve')];
      job = (await submit()).job.id;
    });

    async function person(name: string, role: Role = 'member'): Promise<string> {
      const email = `${name}@example.org`;
      return (await ports.accounts.create({ email, passwordHash: 'x', role, displayName: null })).id;
    }
    const onJob = (id = job) => ({ target: 'job', id }) as const;
    /** Does something, and has those told whom it concerns. */
    async function delivered<T>(done: Promise<T>): Promise<T> {
      const result = await done;
      await drainHappenings(ports);
      return result;
    }
    const comment = (authorId: string, body = 'Seen this?', on: Discussed = onJob()) =>
      delivered(writeComment(ports, { on, authorId, body, at }));
    const thread = (on: Discussed = onJob(), before: number | null = null, limit = 100) =>
      ports.comments.thread(on, { before, limit });
    const bodies = async (...part: Parameters<typeof thread>) =>
      (await thread(...part)).comments.map(({ body }) => body);
    const told = async (viewer: Actor) =>
      (await ports.watchEvents.newest(viewer, 25)).map(({ event }) => event?.summary);
    const tag = (name: string, by: string | null = null, jobId = job) =>
      delivered(giveTags(ports, [{ name, color: null }], { jobIds: [jobId], by, at }));

    /** Administrators see every job, so this is all that was written for somebody. */
    const written = (who: string) => told(account(who, 'admin'));
    const unreadOf = async (viewer: Actor) =>
      (await ports.watches.list(viewer)).map(({ jobId, unread }) => [jobId, unread]);

    describe('comments', () => {
      it('stand in the thread of their thing, oldest first, with who wrote them', async () => {
        const shared = await ports.cases.create({ name: 'c', ownerId: ada, isShared: true, at });
        await ports.accounts.update(eve, { displayName: 'Eve' });
        await comment(ada, 'one');
        await comment(eve, 'two \u0000 \ud800');
        await comment(ada, 'of the case', { target: 'case', id: shared.id });
        expect(await thread()).toMatchObject({
          total: 2,
          comments: [
            {
              target: 'job',
              targetId: job,
              author: { id: ada, name: 'ada' },
              body: 'one',
              createdAt: at,
              editedAt: null,
            },
            { author: { id: eve, name: 'Eve' }, body: 'two \uFFFD \uFFFD' },
          ],
        });
        const [other] = (await thread({ target: 'case', id: shared.id })).comments;
        expect(other).toMatchObject({ target: 'case', targetId: shared.id, body: 'of the case' });
        expect([await ports.comments.count(onJob()), await ports.comments.count(onJob(job + 1))]).toEqual([2, 0]);
        expect(await ports.comments.get(other?.id ?? 0)).toEqual(other);
      });

      it('are read in parts, the newest first', async () => {
        for (const body of ['1', '2', '3', '4', '5']) await comment(ada, body);
        expect(await bodies(onJob(), null, 2)).toEqual(['4', '5']);
        const [fourth] = (await thread(onJob(), null, 2)).comments;
        expect(await bodies(onJob(), fourth?.id, 2)).toEqual(['2', '3']);
        expect((await thread(onJob(), fourth?.id, 2)).total).toBe(5);
      });

      it('are edited and deleted once, also where watchers were told', async () => {
        await ports.watches.begin(ada, job, at);
        await comment(eve, 'first');
        const { id } = (await thread()).comments[0]!;
        const change = { on: onJob(), id, by: eve };
        const edit = (body: string) => delivered(rewriteComment(ports, { ...change, body, at: later(1) }));
        const remove = () => delivered(removeComment(ports, { ...change, at: later(2) }));
        expect(await edit('second')).toBe(true);
        expect(await ports.comments.get(id)).toMatchObject({ body: 'second', editedAt: later(1) });
        expect(await told(member(ada))).toEqual(['eve: second']);
        expect(await remove()).toBe(true);
        expect([await told(member(ada)), await thread()]).toEqual([[], { total: 0, comments: [] }]);
        expect([await edit('third'), await remove()]).toEqual([false, false]);
        expect(await ports.comments.get(id)).toBeNull();
        expect(await ports.comments.removeTombstones(later(2))).toBe(0);
        expect(await ports.comments.removeTombstones(later(3))).toBe(1);
        await comment(eve, 'lives');
        expect(await ports.comments.removeTombstones(later(1e6))).toBe(0);
      });

      it('outlive their author, and are on nothing that is not there', async () => {
        await comment(eve);
        await ports.accounts.delete(eve);
        expect((await thread()).comments).toMatchObject([{ author: null, body: 'Seen this?' }]);
        const lost = comment(ada, 'x', onJob(job + 1));
        await expect(lost).rejects.toMatchObject({ code: 'not_found' });
      });
    });

    describe('watches', () => {
      it('begin and end once', async () => {
        expect(await ports.watches.begin(ada, job, at)).toBe(true);
        expect(await ports.watches.begin(ada, job, later(1))).toBe(true);
        expect([await ports.watches.has(ada, job), await ports.watches.has(eve, job)]).toEqual([true, false]);
        expect(await ports.watches.list(member(ada))).toEqual([{ jobId: job, since: at, unread: 0 }]);
        expect([await ports.watches.end(ada, job), await ports.watches.end(ada, job)]).toEqual([true, false]);
        expect(await ports.watches.begin(ada, job + 1, at)).toBe(false);
        expect(await ports.watches.list(member(ada))).toEqual([]);
      });

      it('are 200 a person at most, also when many begin at once', async () => {
        const jobs: number[] = [];
        for (let turn = 0; turn < 202; turn += 1) jobs.push((await submit()).job.id);
        const first = await Promise.all(jobs.slice(0, 196).map((id) => ports.watches.begin(ada, id, at)));
        const rest = await Promise.all(jobs.slice(196).map((id) => ports.watches.begin(ada, id, at)));
        expect([first, rest].map((begun) => begun.filter(Boolean).length)).toEqual([196, 4]);
        expect(await ports.watches.list(member(ada))).toHaveLength(200);
        expect(await ports.watches.begin(ada, jobs[0] ?? 0, at)).toBe(true);
      });

      it('are listed with most unread first, without jobs that their watcher no longer sees', async () => {
        const [quiet, busy] = [job, (await submit()).job.id];
        const hidden = (await submit({ job: { isPrivate: true, submittedBy: eve } })).job.id;
        for (const id of [busy, quiet, hidden]) await ports.watches.begin(ada, id, at);
        await comment(eve, 'one', onJob(busy));
        await tag('two', eve, busy);
        expect(await unreadOf(member(ada))).toEqual([
          [busy, 2],
          [quiet, 0],
        ]);
        expect(await unreadOf(account(ada, 'user'))).toEqual([
          [busy, 1],
          [quiet, 0],
        ]);
        expect(await unreadOf(account(ada, 'admin'))).toHaveLength(3);
      });
    });

    describe('events', () => {
      it('are told once to those who watch the job, but not to who did it', async () => {
        for (const who of [ada, eve]) await ports.watches.begin(who, job, at);
        await comment(ada, 'hello');
        await tag('red', eve);
        await tag('red', eve);
        expect(await told(member(ada))).toEqual(['eve added red']);
        expect(await told(member(eve))).toEqual(['ada: hello']);
        expect(await ports.watchEvents.newest(member(ada), 25)).toMatchObject([
          { stream: 'job', at, jobId: job, fileName: 'Security.evtx', event: { kind: 'tag' } },
        ]);
        expect(await ports.watchEvents.unread({ kind: 'anonymous', ip: '' })).toBe(0);
      });

      it('tell of tags that come with a submission which the job answers', async () => {
        await ports.watches.begin(ada, job, at);
        const mark = (tags: string[]) => delivered(markJob(ports, job, marks({ by: eve, tags })));
        await mark(['b', 'a']);
        await mark(['a']);
        expect(await told(member(ada))).toEqual(['eve added a, b']);
      });

      it('of tags go to members, and of a private job to those who see it', async () => {
        const [user, admin, owner] = [await person('u', 'user'), await person('r', 'admin'), await person('o', 'user')];
        const secret = (await submit({ job: { isPrivate: true, submittedBy: owner } })).job.id;
        const gone = await person('gone');
        for (const who of [ada, user, admin, owner, gone]) {
          await ports.watches.begin(who, secret, at);
          await ports.watches.begin(who, job, at);
        }
        await ports.accounts.update(gone, { isActive: false });
        await tag('open', null, job);
        await tag('secret', null, secret);
        await comment(eve, 'open');
        await comment(eve, 'secret', onJob(secret));
        expect(await written(ada)).toEqual(['eve: open', 'A rule added open']);
        expect(await written(user)).toEqual(['eve: open']);
        expect(await written(owner)).toEqual(['eve: secret', 'eve: open']);
        expect(await written(admin)).toEqual(['eve: secret', 'eve: open', 'A rule added secret', 'A rule added open']);
        expect(await written(gone)).toEqual([]);
      });

      it('of a job that became private, and of tags to who is no member now, count nowhere', async () => {
        const owner = await person('o');
        const secret = (await submit({ job: { isPrivate: true, submittedBy: owner } })).job.id;
        // As long as Ada is an administrator.
        await ports.accounts.update(ada, { role: 'admin' });
        await ports.watches.begin(ada, secret, at);
        await ports.watches.begin(ada, job, at);
        await comment(eve, 'secret', onJob(secret));
        await tag('red', eve);
        const seen = async (viewer: Actor) => [await ports.watchEvents.unread(viewer), await told(viewer)];
        expect(await seen(account(ada, 'admin'))).toEqual([2, ['eve added red', 'eve: secret']]);
        expect(await seen(member(ada))).toEqual([1, ['eve added red']]);
        expect(await seen(account(ada, 'user'))).toEqual([0, []]);
      });

      it('reach at most 100 watchers, the earliest ones', async () => {
        const many: string[] = [];
        for (let turn = 0; turn < 102; turn += 1) many.push(await person(`w${turn}`));
        for (const who of many) await ports.watches.begin(who, job, at);
        await comment(many[0] ?? '', 'hi');
        const reached = await Promise.all(many.map((who) => ports.watchEvents.unread(member(who))));
        expect([reached.slice(0, 101), reached[101]]).toEqual([[0, ...Array<number>(100).fill(1)], 0]);
      });

      it('are acknowledged one by one, of a job, or all, each by whom they were told', async () => {
        const other = (await submit()).job.id;
        for (const who of [ada, eve]) for (const id of [job, other]) await ports.watches.begin(who, id, at);
        for (const [nth, id] of [job, job, other, other].entries()) await tag(`t${nth}`, null, id);
        const mine = await ports.watchEvents.newest(member(ada), 2);
        expect(mine.map(({ event }) => event?.summary)).toEqual(['A rule added t3', 'A rule added t2']);
        const id = mine[0]!.id;
        expect(await ports.watchEvents.acknowledge(eve, id, later(1))).toBe(0);
        expect(await ports.watchEvents.acknowledge(ada, id, later(1))).toBe(1);
        expect(await ports.watchEvents.acknowledge(ada, id, later(2))).toBe(1);
        expect(await ports.watchEvents.acknowledgeJob(ada, job, later(1))).toBe(2);
        expect(await told(member(ada))).toEqual(['A rule added t2']);
        expect(await ports.watchEvents.acknowledge(ada, null, later(1))).toBe(1);
        expect([await ports.watchEvents.unread(member(ada)), await ports.watchEvents.unread(member(eve))]).toEqual([
          0, 4,
        ]);
        await ports.watchEvents.restore(eve, later(1));
        expect(await told(member(ada))).toEqual([]);
        await ports.watchEvents.acknowledge(eve, null, later(3));
        await ports.watchEvents.restore(ada, later(1));
        expect(await ports.watchEvents.unread(member(ada))).toBe(4);
        expect(await ports.watchEvents.unread(member(eve))).toBe(0);
      });

      it('go with the watch, and leave no trace when it begins anew', async () => {
        await ports.watches.begin(ada, job, at);
        await tag('t');
        await ports.watches.end(ada, job);
        await ports.watches.begin(ada, job, at);
        expect(await told(member(ada))).toEqual([]);
      });

      it('are told only to those who watched when it happened', async () => {
        await ports.watches.begin(ada, job, later(1));
        await comment(eve, 'earlier');
        expect(await told(member(ada))).toEqual([]);
      });

      it('survive watches that begin and end at the same time', async () => {
        const watchers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => person(name)));
        const turns = watchers.map(async (who, index) => {
          for (let turn = 0; turn < 8; turn += 1) {
            await ports.watches.begin(who, job, at);
            await tag(`t${index * 100 + turn}`);
            await ports.watches.end(who, job);
          }
        });
        await Promise.all(turns);
        expect(await ports.watches.list(member(watchers[0] ?? ''))).toEqual([]);
      });
    });
  });
}

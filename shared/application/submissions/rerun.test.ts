import { overriding } from '@svc/adapters/testing/overriding.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getJob } from '../jobs/get-job.ts';
import type { Ports } from '../ports/ports.ts';
import { rerunJobs } from './rerun-jobs.ts';

let test: TestPorts;
let ports: Ports;
let owner: Actor;
let other: Actor;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  owner = await account('owner@x.org');
  other = await account('other@x.org');
});
afterAll(() => test.close());

const asked = { q: '', tags: [], dry_run: false };

async function account(email: string): Promise<Actor> {
  const made = await ports.accounts.create({ email, passwordHash: '', role: 'member', displayName: null });
  return { kind: 'account', userId: made.id, email, role: 'member', ip: '192.0.2.9' };
}

function submitted(actor: Actor, content: string, isPrivate = false): Promise<number> {
  return submitLog(ports, actor, { content: `ElfFile\0${content}`, is_private: isPrivate });
}

it('runs the files of jobs again, each once, and says of each what became of it', async () => {
  const [first, again, second] = [
    await submitted(owner, 'one'),
    await submitted(owner, 'one'),
    await submitted(owner, 'two', true),
  ];
  const foreign = await submitted(other, 'three');
  const hidden = await submitted(other, 'four', true);
  const named = { ...asked, job_ids: [first, again, second, foreign, hidden, 999_999, first] };
  const dry = await rerunJobs(ports, owner, { ...named, dry_run: true });
  expect(dry).toEqual({ matched: 6, analyses: 2, limit: 200, jobs: [] });
  const { analyses, jobs } = await rerunJobs(ports, owner, named);
  expect(analyses).toBe(2);
  expect(jobs.map(({ job_id: id, error }) => [id, error?.code ?? null])).toEqual([
    [first, null],
    [again, null],
    [second, null],
    [foreign, 'forbidden'],
    [hidden, 'not_found'],
    [999_999, 'not_found'],
  ]);
  expect(jobs[0]!.new_job_id).toBe(jobs[1]!.new_job_id);
  const made = await getJob(ports, owner, { id: jobs[2]!.new_job_id! });
  expect(made).toMatchObject({ filename: 'Security.evtx', is_private: true, status: 'pending' });
  expect(jobs[2]!.job_url).toBe(`/jobs/${made.job_id}`);
});

it('counts what a search comes to, and runs each file of it by each workflow once, where that is allowed', async () => {
  const again = [await submitted(owner, 'one'), await submitted(owner, 'one')];
  await submitted(owner, 'two', true);
  await submitted(other, 'three');
  await submitted(other, 'four', true);
  const search = { ...asked, q: 'security' };
  const count = async (actor: Actor) => {
    const { matched, analyses, jobs } = await rerunJobs(ports, actor, { ...search, dry_run: true });
    return [matched, analyses, jobs.length];
  };
  const admin: Actor = { ...(other as Extract<Actor, { kind: 'account' }>), role: 'admin' };
  expect(await count(owner)).toEqual([4, 2, 0]);
  expect(await count(admin)).toEqual([5, 4, 0]);
  expect(await count({ kind: 'anonymous', ip: '' })).toEqual([3, 0, 0]);
  const { analyses, jobs } = await rerunJobs(ports, owner, { ...search, q: 'security -is:private' });
  expect([analyses, jobs.map(({ job_id: id, error }) => [id, error])]).toEqual([1, [[again[1], null]]]);
});

it('is refused in demonstrations', async () => {
  const id = await submitted(owner, 'one');
  test.settings.demoMode = true;
  const named = rerunJobs(ports, owner, { ...asked, job_ids: [id] });
  await expect(named).rejects.toMatchObject({ code: 'demo_mode' });
  const dry = rerunJobs(ports, owner, { ...asked, q: 'security', dry_run: true });
  await expect(dry).rejects.toMatchObject({ code: 'demo_mode' });
});

it('tells what was begun before the queue went away, and begins nothing more', async () => {
  const ids = [await submitted(owner, 'one'), await submitted(owner, 'two'), await submitted(owner, 'three')];
  /** Ports whose queue takes so many tasks. */
  const taking = (most: number): Ports => {
    let taken = 0;
    const enqueue = (...task: Parameters<Ports['tasks']['enqueue']>) => {
      taken += 1;
      return taken > most ? Promise.reject(new Error('no queue')) : ports.tasks.enqueue(...task);
    };
    return { ...ports, tasks: overriding(ports.tasks, { enqueue }) };
  };
  const { jobs } = await rerunJobs(taking(1), owner, { ...asked, job_ids: ids });
  expect(jobs.map(({ new_job_id: id, error }) => [id !== null, error?.code ?? null])).toEqual([
    [true, null],
    [false, 'queue_unreachable'],
    [false, 'queue_unreachable'],
  ]);
  const count = async () =>
    (await ports.jobLists.page(owner, { filters: [], now: new Date() }, { page: 1, per: 20 })).total;
  expect(await count()).toBe(5);
  const none = rerunJobs(taking(0), owner, { ...asked, job_ids: ids });
  await expect(none).rejects.toMatchObject({ code: 'queue_unreachable' });
  expect(await count()).toBe(6);
});

it('refuses a search with more to repeat than is done at once', async () => {
  const jobLists = { ...ports.jobLists, planRerun: async () => ({ matched: 300, analyses: 201, jobIds: [] }) };
  const search = { ...asked, q: 'security' };
  await expect(rerunJobs({ ...ports, jobLists }, owner, search)).rejects.toMatchObject({ code: 'too_many' });
  const counted = await rerunJobs({ ...ports, jobLists }, owner, { ...search, dry_run: true });
  expect(counted).toEqual({ matched: 300, analyses: 201, limit: 200, jobs: [] });
});

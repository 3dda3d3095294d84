import { analyzeLog, analyzeNext, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { fileNumber, type Actor } from '@svc/domain';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getJob } from '../jobs/get-job.ts';
import { getSimilarFiles } from '../report/get-similar-files.ts';
import type { Ports } from '../ports/ports.ts';
import { resubmitJob } from './resubmit-job.ts';

let test: TestPorts;
let ports: Ports;
let owner: Actor;
let stranger: Actor;
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  [owner, stranger] = [await signedIn('owner@example.org'), await signedIn('stranger@example.org')];
});
afterAll(() => test.close());

async function signedIn(email: string): Promise<Actor> {
  const { id } = await ports.accounts.create({ email, passwordHash: 'x', role: 'user', displayName: null });
  return { kind: 'account', userId: id, email, role: 'user', ip: '192.0.2.7' };
}

/** Two logs of one length and likeness, so that answers about them differ in nothing but what is known of them. */
function log(name: 'seen' | 'news' | 'near'): string {
  const line = (i: number): string => `${i * i} ${i % 7} logon of ${i > 1900 ? name : 'anne'} from host ${i % 31}`;
  return `ElfFile\0${Array.from({ length: 2000 }, (_, i) => line(i)).join('\n')}`;
}

const sent = (name: Parameters<typeof log>[0], isPrivate = false) => ({
  fileName: 'a.evtx',
  content: log(name),
  is_private: isPrivate,
});

/** All that a viewer is told of a job, without what differs between any two jobs on files of different bytes. */
async function told(viewer: Actor, id: number) {
  const detail = await getJob(ports, viewer, { id, dup: '1' });
  const { job_id: _id, job_url: _url, started_at: _started, finished_at: _finished, created_at: at, ...job } = detail;
  const { file, tasks, duplicate } = job;
  const similar = await getSimilarFiles(ports, viewer, { id, threshold: 400 });
  return {
    ...job,
    top_finding: { ...job.top_finding, id: null },
    tasks: tasks.map(({ id: _task, duration_ms: _ms, ...task }) => task),
    file: {
      ...file,
      id: file.id === fileNumber(file.sha256),
      sha256: null,
      tlsh: file.tlsh !== null,
      uploaded_at: file.uploaded_at === at,
    },
    duplicate: duplicate?.file_id === file.id,
    similar: { digest: similar.tlsh !== null, files: similar.files.length },
  };
}

describe('bytes that somebody has submitted unseen look like new ones', () => {
  it.each(['visitor', 'account'] as const)('to a %s, before and after their analysis', async (who) => {
    const viewer = who === 'visitor' ? visitor : stranger;
    await analyzeLog(ports, owner, sent('seen', true));
    test.advance(86_400);
    const waiting = [await submitLog(ports, viewer, sent('seen')), await submitLog(ports, viewer, sent('news'))];
    expect(await told(viewer, waiting[0]!)).toEqual(await told(viewer, waiting[1]!));
    await analyzeNext(ports);
    await analyzeNext(ports);
    await analyzeLog(ports, visitor, sent('near'));
    expect(await told(viewer, waiting[0]!)).toEqual(await told(viewer, waiting[1]!));
  });

  it('to somebody who looks for similar files', async () => {
    await analyzeLog(ports, owner, sent('seen', true));
    const near = await analyzeLog(ports, visitor, sent('near'));
    await submitLog(ports, stranger, sent('seen'));
    expect((await getSimilarFiles(ports, visitor, { id: near, threshold: 400 })).files).toEqual([]);
    const found = (await getSimilarFiles(ports, owner, { id: near, threshold: 400 })).files;
    const digest = createHash('sha256').update(log('seen')).digest('hex');
    expect(found.map(({ file_id: id }) => id)).toEqual([fileNumber(digest)]);
  });

  it('to somebody who asks to analyse them again, by the number that they would have', async () => {
    await analyzeLog(ports, owner, sent('seen', true));
    const workflow = (await ports.workflows.list()).find(({ isDefault }) => isDefault)!.id;
    for (const name of ['seen', 'news'] as const) {
      const number = fileNumber(createHash('sha256').update(log(name)).digest('hex'));
      const asked = resubmitJob(ports, stranger, { file_id: number, workflow_id: workflow });
      await expect(asked).rejects.toMatchObject({ code: 'not_found', message: 'No such file' });
    }
  });
});

it('but somebody who may see the earlier job is told of it', async () => {
  const id = await analyzeLog(ports, owner, sent('seen', true));
  const { file } = await getJob(ports, owner, { id });
  test.advance(86_400);
  const again = await submitLog(ports, visitor, sent('seen'));
  expect((await getJob(ports, owner, { id: again })).file.uploaded_at).toBe(file.uploaded_at);
  expect((await getJob(ports, visitor, { id: again })).file).toMatchObject({ id: file.id, sha256: file.sha256 });
});

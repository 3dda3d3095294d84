import { giveTags } from '../tags/give-tags.ts';
import { beginTasks } from '../analysis/begin-tasks.ts';
import { recordSubmission } from '../submissions/record-submission.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor, Role } from '@svc/domain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { suggestJobSearch } from './suggest-job-search.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const at = new Date('2026-08-01T10:00:00Z');
let test: TestPorts;
let ports: Ports;
let owner: Actor;
let member: Actor;

beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
  await test.reset();
  owner = await signedIn('owner@example.org', 'member');
  member = await signedIn('member@example.org', 'member');
  await ran(null, ['reviewed', 'two words'], 'sigma-native');
  await ran(owner, ['reviewed', 'secret'], 'hunter');
}, 60_000);
afterAll(() => test.close());

async function signedIn(email: string, role: Role): Promise<Actor> {
  const { id } = await ports.accounts.create({ email, passwordHash: 'x', role, displayName: null });
  return { kind: 'account', userId: id, email, role, ip: '192.0.2.7' };
}

/** A job with these tags on which this engine ran; private where somebody has submitted it. */
async function ran(actor: Actor | null, tags: string[], engine: string): Promise<void> {
  const submittedBy = actor?.kind === 'account' ? actor.userId : null;
  const workflowId = (await ports.workflows.list())[0]?.id ?? 0;
  const sha256 = engine.padEnd(64, '0');
  const job = { workflowId, submittedBy, submitterIp: '', submittedName: 'a', isPrivate: submittedBy !== null };
  const { job: made } = await recordSubmission(ports, {
    file: { sha256, storageKey: sha256, originalName: 'a', sizeBytes: 1, detectedType: 'evtx', uploaderIp: '' },
    job: { ...job, logType: 'evtx' },
    reuse: null,
    marks: { receipt: null, upload: null, caseId: null, tags, by: null, at },
  });
  await ports.jobs.claim(made.id, 'claim', at);
  const task = { engine, status: 'pending', errorMessage: null, bytesTotal: 1 } as const;
  await beginTasks(ports, { id: made.id, claim: 'claim' }, [task], at);
}

async function suggested(actor: Actor, q: string): Promise<string[]> {
  const answer = await suggestJobSearch(ports, actor, { q, pos: q.length });
  expect(operations.suggestJobSearch.output.parse(answer)).toEqual(answer);
  return answer.suggestions.map(({ insert, detail }) => (detail === '' ? insert : `${insert} ${detail}`));
}

it('offers the vocabulary to members, with the jobs that each sees', async () => {
  expect(await suggested(owner, 'tag:')).toEqual(['tag:reviewed 2 jobs', 'tag:secret 1 job', 'tag:"two words" 1 job']);
  expect(await suggested(member, 'tag:rev')).toEqual(['tag:reviewed 1 job']);
  expect(await suggested(visitor, 'tag:')).toEqual([]);
  expect(await suggested(visitor, 't')).toEqual([
    'type: Type of the log',
    expect.stringMatching(/^tool: /),
    expect.stringMatching(/^technique: /),
  ]);
});

it('offers the engines that ran on jobs that the visitor sees', async () => {
  expect(await suggested(visitor, '-tool:x,')).toEqual(['-tool:x,sigma-native']);
  expect(await suggested(owner, 'tool:')).toEqual(['tool:hunter', 'tool:sigma-native']);
});

it('offers workflows by name, and says what of the text goes', async () => {
  const [first] = await ports.workflows.list();
  const name = first!.name;
  const answer = await suggestJobSearch(ports, visitor, { q: `a workflow:${name.slice(0, 3)} b`, pos: 14 });
  expect(answer).toMatchObject({ start: 2, end: 14, prefix: 'workflow:' });
  expect(answer.suggestions[0]?.label).toBe(name);
});

it('offers 20 at most', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `t${index}`);
  await giveTags(
    ports,
    names.map((name) => ({ name, color: null })),
    { jobIds: [], by: null, at },
  );
  expect(await suggested(member, 'tag:')).toHaveLength(20);
});

it('offers techniques by id and by name, and cases to members who see them', async () => {
  expect(await suggested(visitor, '-technique:powershell')).toContain(
    '-technique:T1059.001 Command and Scripting Interpreter: PowerShell',
  );
  expect((await suggested(visitor, 'technique:t1003.00'))[0]).toMatch(/^technique:T1003.001 OS Credential/);
  const ownerId = owner.kind === 'account' ? owner.userId : '';
  await ports.cases.create({ name: 'Phish wave', ownerId, isShared: false, at });
  expect(await suggested(owner, 'case:ph')).toEqual([expect.stringMatching(/^case:"Phish wave" Case \d+, open$/)]);
  expect(await suggested(member, 'case:ph')).toEqual([]);
  expect(await suggested(visitor, 'case:ph')).toEqual([]);
  expect(await suggested(visitor, 'cas')).toEqual([]);
});

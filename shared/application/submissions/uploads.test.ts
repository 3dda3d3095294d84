import { contentOf } from '@svc/adapters/testing/content.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { plainSubmission } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations, type SubmittedJob, type UploadTicket } from '@svc/contracts';
import type { Actor, Role } from '@svc/domain';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { createUpload } from './create-upload.ts';
import { receiveUpload } from './receive-upload.ts';
import { removeExpiredUploads } from './remove-expired-uploads.ts';
import { submitJob } from './submit-job.ts';
import { uploadFile } from './upload-file.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const evtx = Buffer.concat([Buffer.from('ElfFile\0'), Buffer.alloc(200_000, 7)]);
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const code = (expected: string) => ({ code: expected });

let test: TestPorts;
let ports: Ports;
let windows: number;
let owner: Actor;
let other: Actor;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  windows = (await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id ?? 0;
  owner = await signedIn('owner@example.org');
  other = await signedIn('other@example.org');
});
afterAll(() => test.close());

async function signedIn(email: string, role: Role = 'user'): Promise<Actor> {
  const { id } = await ports.accounts.create({ email, passwordHash: 'x', role, displayName: null });
  return { kind: 'account', userId: id, email, role, ip: '192.0.2.7' };
}

function reserve(actor: Actor, bytes = evtx, filename = 'Security.evtx'): Promise<UploadTicket> {
  const input = { filename, size_bytes: bytes.length, sha256: digest(bytes) };
  return createUpload(ports, actor, input, { origin: 'https://svc.example.org' });
}

const tokenOf = ({ url }: UploadTicket): string => url.split('/').at(-1)!;

function send(ticket: UploadTicket, bytes: Uint8Array = evtx, declaredBytes = bytes.length): Promise<void> {
  const content = contentOf(bytes.subarray(0, 90_000), bytes.subarray(90_000));
  return receiveUpload(ports, visitor, { token: tokenOf(ticket), declaredBytes, content });
}

async function sent(actor: Actor, bytes = evtx): Promise<UploadTicket> {
  const ticket = await reserve(actor, bytes);
  await send(ticket, bytes);
  return ticket;
}

interface Options {
  readonly workflow_id?: number;
  readonly idempotency_key?: string;
  readonly force_resubmit?: boolean;
  readonly case_id?: number;
  readonly tags?: string[];
}

function submit(actor: Actor, { upload_id }: Pick<UploadTicket, 'upload_id'>, over: Options = {}, on = ports) {
  const plain = { ...plainSubmission, workflow_id: windows, force_resubmit: false };
  const input = { ...plain, ...over, upload_id, file: null };
  return (actor.kind === 'anonymous' ? uploadFile : submitJob)(on, actor, input);
}

/** Where the bytes of an upload lie. */
const keyOf = async ({ upload_id: id }: UploadTicket): Promise<string> => (await ports.uploads.find(id))!.storageKey!;

describe('a reservation', () => {
  it('says where to send the bytes, and for how long', async () => {
    const ticket = await reserve(visitor);
    expect(operations.createUpload.output.parse(ticket)).toEqual(ticket);
    expect(ticket).toMatchObject({
      upload_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      method: 'PUT',
      url: expect.stringMatching(/^https:\/\/svc\.example\.org\/api\/uploads\/[\w.-]+$/),
    });
    const left = Date.parse(ticket.expires_at) - ports.clock.now().getTime();
    expect(left / 60_000).toBeCloseTo(60, 0);
  });

  it('is refused for files that are too large, and in demonstrations', async () => {
    const input = { filename: 'x', size_bytes: ports.deployment.maxUploadBytes + 1, sha256: digest(evtx) };
    await expect(createUpload(ports, visitor, input, { origin: '' })).rejects.toMatchObject(code('too_large'));
    test.settings.demoMode = true;
    await expect(reserve(visitor)).rejects.toMatchObject(code('demo_mode'));
  });

  it('counts against the address or the account until it is submitted, and expires with its slot', async () => {
    const size = evtx.length;
    const limited = {
      ...ports,
      deployment: { ...ports.deployment, reservedBytes: { address: 2 * size, account: size } },
    };
    const input = { filename: 'Security.evtx', size_bytes: size, sha256: digest(evtx) };
    const take = (actor: Actor) => createUpload(limited, actor, input, { origin: '' });
    const at = (ip: string): Actor => ({ kind: 'anonymous', ip });
    const refused = code('rate_limited');

    await take(at('2001:db8::1'));
    const second = await take(at('2001:db8::2'));
    await expect(take(at('2001:0db8:0:0:ffff::1'))).rejects.toMatchObject(refused);
    await take(at('2001:db8:0:1::1'));
    // An account has its own, wherever it comes from.
    await take(owner);
    await expect(take({ ...owner, ip: '2001:db8:0:9::1' })).rejects.toMatchObject(refused);
    await take(other);

    await send(second);
    await submit(at('2001:db8::2'), second);
    await take(at('2001:db8::3'));
    await expect(take(at('2001:db8::3'))).rejects.toMatchObject(refused);
    test.advance(3601);
    await take(at('2001:db8::3'));
    await take(owner);
  });

  it('does not tell whether the bytes are there', async () => {
    await submit(owner, await sent(owner));
    const again = await reserve(other);
    expect(Object.keys(again)).toEqual(Object.keys(await reserve(other, Buffer.from('never seen'))));
    await expect(submit(other, again)).rejects.toMatchObject(code('upload_incomplete'));
  });
});

describe('sending', () => {
  it('keeps the bytes byte for byte', async () => {
    const ticket = await sent(visitor);
    const { job_id: id } = await submit(visitor, ticket);
    const record = await ports.jobs.get(id);
    expect(record?.job).toMatchObject({ submittedName: 'Security.evtx', logType: 'evtx', status: 'pending' });
    expect(record?.file).toMatchObject({ sha256: digest(evtx), sizeBytes: evtx.length, detectedType: 'evtx' });
    const reader = await ports.objects.open(record!.file.storageKey);
    const read = Buffer.alloc(evtx.length);
    expect(await reader.read(0, read)).toBe(evtx.length);
    await reader.close();
    expect(read.equals(evtx)).toBe(true);
  });

  it('of an empty file is fine', async () => {
    const empty = Buffer.alloc(0);
    await expect(submit(visitor, await sent(visitor, empty))).rejects.toMatchObject(code('workflow_mismatch'));
  });

  it('takes no other bytes, and may then be done right', async () => {
    const ticket = await reserve(visitor);
    const wrong = Buffer.from(evtx);
    wrong[100_000] = 8;
    await expect(send(ticket, wrong)).rejects.toMatchObject(code('digest_mismatch'));
    await expect(send(ticket, evtx.subarray(1))).rejects.toMatchObject(code('length_mismatch'));
    // A length that was declared, but not kept.
    await expect(send(ticket, evtx.subarray(1), evtx.length)).rejects.toMatchObject(code('length_mismatch'));
    await expect(submit(visitor, ticket)).rejects.toMatchObject(code('upload_incomplete'));
    await send(ticket);
    expect(await submit(visitor, ticket)).toMatchObject({ reused: false });
  });

  it('may be repeated, with the same bytes only, and leaves one copy', async () => {
    const ticket = await sent(visitor);
    const key = await keyOf(ticket);
    await send(ticket);
    await expect(send(ticket, Buffer.alloc(evtx.length))).rejects.toMatchObject(code('digest_mismatch'));
    expect(await keyOf(ticket)).toBe(key);
    await submit(visitor, ticket);
    await expect(send(ticket)).rejects.toMatchObject(code('no_upload'));
  });

  it('may be done twice at once', async () => {
    const ticket = await reserve(visitor);
    await Promise.all([send(ticket), send(ticket)]);
    expect(await ports.objects.exists(await keyOf(ticket))).toBe(true);
  });

  it('needs the very address', async () => {
    const ticket = await reserve(visitor);
    const token = tokenOf(ticket);
    const [head, claims, signature] = token.split('.') as [string, string, string];
    const larger = Buffer.from(claims, 'base64url').toString().replace('200008', '200009');
    const forged = [
      'x',
      '',
      `${head}.${Buffer.from(larger).toString('base64url')}.${signature}`,
      `${head}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`,
    ];
    for (const url of forged) await expect(send({ ...ticket, url })).rejects.toMatchObject(code('no_upload'));
    const session = await ports.sessions.issue({ accountId: ticket.upload_id, passwordVersion: 'pv', secret: 's' });
    await expect(send({ ...ticket, url: session })).rejects.toMatchObject(code('no_upload'));
    await expect(ports.sessions.verify(token)).resolves.toBeNull();
    test.advance(3601);
    await expect(send(ticket)).rejects.toMatchObject(code('no_upload'));
  });
});

describe('an address of another store', () => {
  const key = `${'0'.repeat(32)}.bin`;
  const mib = 1_048_576;
  const halfAnHour = 1_800_000;
  async function direct(size_bytes: number): Promise<UploadTicket> {
    const presignPut: Ports['uploadTargets']['presignPut'] = async ({ expiresAt }) => {
      const beginBy = new Date(expiresAt.getTime() - halfAnHour);
      return { key, url: 'https://s3.test/x', headers: {}, beginBy };
    };
    const uploadTargets = overriding(ports.uploadTargets, { presignPut });
    const deployment = { ...ports.deployment, maxUploadBytes: 10_000 * mib };
    const input = { filename: 'x.evtx', size_bytes, sha256: digest(evtx) };
    return createUpload({ ...ports, uploadTargets, deployment }, visitor, input, { origin: 'https://svc.example.org' });
  }

  it('is handed on as it is, and what was begun in time may still be submitted', async () => {
    const ticket = await direct(1);
    expect(ticket.url).toBe('https://s3.test/x');
    const left = Date.parse(ticket.expires_at) - ports.clock.now().getTime();
    expect(left / 60_000).toBeCloseTo(30, 0);
    test.advance(3500);
    await removeExpiredUploads(ports);
    await expect(submit(visitor, ticket)).rejects.toMatchObject(code('upload_incomplete'));
    test.advance(200);
    await expect(submit(visitor, ticket)).rejects.toMatchObject(code('no_upload'));
  });

  it.each([
    [1, 60],
    [240, 62],
    [1024, 167],
  ])('leaves a file of %i MiB the time that sending it takes: %i minutes', async (size, minutes) => {
    const { upload_id: id } = await direct(size * mib);
    const { createdAt, expiresAt } = (await ports.uploads.find(id))!;
    expect(Math.round((expiresAt.getTime() - createdAt.getTime()) / 60_000)).toBe(minutes);
  });

  it('is looked at again a day later, for what has arrived after its end', async () => {
    const erased: string[] = [];
    const objects = overriding(ports.objects, { erase: async (one) => void erased.push(one) });
    const sweep = (): Promise<number> => removeExpiredUploads({ ...ports, objects });
    const ticket = await direct(1);
    test.advance(3700);
    await sweep();
    await sweep();
    expect(erased).toEqual([key]);
    await expect(submit(visitor, ticket)).rejects.toMatchObject(code('no_upload'));
    test.advance(86_400);
    await sweep();
    await sweep();
    expect(erased).toEqual([key, key]);
  });
});

describe('the sweep', () => {
  it('goes into its case with its tags, and names it however often it is submitted', async () => {
    const member = await signedIn('member@example.org', 'member');
    const ownerId = member.kind === 'account' ? member.userId : '';
    const wanted = { name: 'Phish wave', ownerId, isShared: false, at: new Date() };
    const { id } = await ports.cases.create(wanted);
    const ticket = await sent(member);
    const options = { case_id: id, tags: ['phishing'] };
    const { replayed: _, ...job } = await submit(member, ticket, options);
    expect(job.case_id).toBe(id);
    expect(await ports.jobViews.get(member, job.job_id)).toMatchObject({
      cases: [{ id, name: 'Phish wave' }],
      tags: [{ name: 'phishing' }],
    });
    expect(await submit(member, ticket, options)).toEqual({ ...job, replayed: true });
    const keyed = { ...options, idempotency_key: 'later' };
    expect(await submit(member, ticket, keyed)).toMatchObject({ case_id: id });
    expect(await submit(member, ticket, keyed)).toMatchObject({ case_id: id });
    await expect(submit(member, ticket, { tags: ['phishing'] })).rejects.toMatchObject(code('upload_used'));
    await expect(submit(owner, await sent(owner), options)).rejects.toMatchObject(code('forbidden'));
  });

  it('removes what was never submitted an hour later, with its object', async () => {
    const [empty, full] = [await reserve(visitor), await sent(visitor)];
    const key = await keyOf(full);
    test.advance(3500);
    const young = await reserve(owner);
    expect(await removeExpiredUploads(ports)).toBe(0);
    test.advance(200);
    expect(await removeExpiredUploads(ports)).toBe(2);
    for (const { upload_id: id } of [empty, full]) expect(await ports.uploads.find(id)).toBeNull();
    expect(await ports.objects.exists(key)).toBe(false);
    expect(await ports.uploads.find(young.upload_id)).not.toBeNull();
    await expect(submit(visitor, full)).rejects.toMatchObject(code('no_upload'));
  });

  it('remembers what was submitted for a day, and leaves its file alone', async () => {
    const ticket = await sent(visitor);
    const job = await submit(visitor, ticket);
    const key = await keyOf(ticket);
    test.advance(7200);
    expect(await removeExpiredUploads(ports)).toBe(0);
    expect(await submit(visitor, ticket)).toMatchObject({ job_id: job.job_id });
    test.advance(86_400);
    expect(await removeExpiredUploads(ports)).toBe(1);
    expect(await ports.objects.exists(key)).toBe(true);
  });

  it('removes the second copy of a submission that broke off behind its commit', async () => {
    await submit(owner, await sent(owner));
    const second = await sent(owner);
    const secondKey = await keyOf(second);
    const dying = overriding(ports.objects, { exists: () => Promise.reject(new Error('killed')) });
    const broken = submit(owner, second, {}, { ...ports, objects: dying });
    await expect(broken).rejects.toThrow('killed');
    expect(await ports.objects.exists(secondKey)).toBe(true);
    test.advance(90_000);
    await removeExpiredUploads(ports);
    expect(await ports.objects.exists(secondKey)).toBe(false);
  });
});

describe('submitting', () => {
  it('needs an upload that is known, one’s own, not too old, and sent', async () => {
    await expect(submit(visitor, { upload_id: '0'.repeat(32) })).rejects.toMatchObject(code('no_upload'));
    await expect(submit(visitor, await reserve(visitor))).rejects.toMatchObject(code('upload_incomplete'));
    const ticket = await sent(owner);
    await expect(submit(other, ticket)).rejects.toMatchObject(code('no_upload'));
    await expect(submit(visitor, ticket)).rejects.toMatchObject(code('no_upload'));
    test.advance(3601);
    await expect(submit(owner, ticket)).rejects.toMatchObject(code('no_upload'));
  });

  it('may follow a refusal, without sending again', async () => {
    const ticket = await sent(owner);
    await expect(submit(owner, ticket, { workflow_id: 999_999 })).rejects.toMatchObject(code('unknown_workflow'));
    await expect(submit(owner, ticket, { idempotency_key: 'a b' })).rejects.toMatchObject(code('bad_key'));
    expect(await submit(owner, ticket)).toMatchObject({ reused: false });
  });

  it('by whom the bytes are known already keeps the first copy alone', async () => {
    const first = await sent(owner);
    const firstKey = await keyOf(first);
    const { job_id: id } = await submit(owner, first);
    const second = await sent(owner);
    const secondKey = await keyOf(second);
    expect(await submit(owner, second)).toMatchObject({ job_id: id, reused: true });
    expect([await ports.objects.exists(firstKey), await ports.objects.exists(secondKey)]).toEqual([true, false]);
    const third = await sent(other);
    expect((await submit(other, third)).job_id).not.toBe(id);
  });

  it.each([{}, { idempotency_key: 'k' }, { force_resubmit: true }])(
    'again with the same options (%j) answers as before',
    async (options: Options) => {
      const ticket = await sent(owner);
      const { replayed: _first, ...job } = await submit(owner, ticket, options);
      const { replayed, ...again } = await submit(owner, ticket, options);
      expect([again, replayed]).toEqual([job, true]);
      // Also under a key that the first answer was not asked for with.
      const keyed = await submit(owner, ticket, { ...options, idempotency_key: 'later' });
      expect(keyed.job_id).toBe(job.job_id);
      expect(await ports.receipts.find(owner.kind === 'account' ? owner.userId : '', 'job', 'later')).toMatchObject({
        jobId: job.job_id,
      });
    },
  );

  it('again with others is refused', async () => {
    const ticket = await sent(owner);
    await submit(owner, ticket, { idempotency_key: 'k' });
    const forced = { force_resubmit: true };
    await expect(submit(owner, ticket, forced)).rejects.toMatchObject(code('upload_used'));
    await expect(submit(owner, ticket, { ...forced, idempotency_key: 'k' })).rejects.toMatchObject(code('key_reused'));
  });

  it('a second upload under the first one’s key finds its job', async () => {
    const { job_id: id } = await submit(owner, await sent(owner), { idempotency_key: 'k' });
    const second = await sent(owner);
    for (const _ of [1, 2]) {
      const answer = await submit(owner, second, { idempotency_key: 'k' });
      expect(answer).toMatchObject({ job_id: id, reused: false, replayed: true });
    }
  });

  it.each([{}, { idempotency_key: 'k' }, { force_resubmit: true }])(
    'many times at once (%j) makes one job and queues it once',
    async (options: Options) => {
      const ticket = await sent(owner);
      const answers = await Promise.all(Array.from({ length: 6 }, () => submit(owner, ticket, options)));
      expect(new Set(answers.map((answer: SubmittedJob) => answer.job_id)).size).toBe(1);
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      const { file } = (await ports.jobs.get(answers[0]!.job_id))!;
      expect(await ports.objects.exists(file.storageKey)).toBe(true);
    },
  );
});

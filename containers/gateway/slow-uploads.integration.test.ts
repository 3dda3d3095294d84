import type { Problem } from '@svc/contracts';
import assert from 'node:assert/strict';
import { request, type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { evtx, field, filePart, formType, uploadForm } from '../../test/support/multipart.ts';
import { openGateway } from '../../test/support/open-gateway.ts';
import { signIn } from '../../test/support/sessions.ts';

const gateway = await openGateway({
  deployment: { maxConcurrentUploads: 4, http: { trustedProxies: ['127.0.0.1'] } },
  patience: { bodyMs: 600_000, uploadMs: (bytes) => bytes, silenceMs: 600_000, idleMs: 600_000, lingerMs: 1000 },
});
afterAll(() => gateway.close());

/** The time that uploads are measured by, and nothing else. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
const slow: SlowUpload[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const { sending } of slow.splice(0)) sending.destroy();
  await vi.waitFor(async () => assert.equal(await freePlaces(), 4), { timeout: 20_000 });
});

interface SlowUpload {
  readonly sending: ClientRequest;
  /** `status code` once it was answered, `gone` when the connection ended. */
  outcome: string | null;
}

const mebibyte = 1_048_576;
const from = (address: string): OutgoingHttpHeaders => ({ 'x-forwarded-for': address });

/** Begins to send a form of 8 MiB and goes on when told to. */
function begin(headers: OutgoingHttpHeaders, length = 8 * mebibyte): SlowUpload {
  const sending = request(`${gateway.url}/upload`, {
    method: 'POST',
    headers: { ...headers, 'content-type': formType, 'content-length': length, accept: 'application/json' },
  });
  const upload: SlowUpload = { sending, outcome: null };
  sending.on('error', () => (upload.outcome ??= 'gone'));
  sending.on('response', async (response) => {
    const { code } = (await json(response)) as Partial<Problem>;
    upload.outcome = `${response.statusCode} ${code}`;
  });
  sending.write(field('workflow_id', gateway.workflow));
  sending.write(filePart(evtx(70_000)).subarray(0, 66_000));
  slow.push(upload);
  return upload;
}

async function freePlaces(): Promise<number> {
  const { uploadAdmission } = gateway.ports;
  const probes = ['1', '2', '3', '4'].map((id) => ({ id, bytes: 0, holder: `account:probe${id}` as const }));
  let free = 0;
  for (const probe of probes) if ((await uploadAdmission.hold(probe, null)) === 'held') free += 1;
  for (const { id } of probes) await uploadAdmission.release(id);
  return free;
}

/** An honest upload; `202`, or the code that it was refused with. */
async function send(headers: Record<string, string>): Promise<string> {
  const body = new Uint8Array(uploadForm(gateway.workflow));
  const sent = { ...headers, 'content-type': formType, accept: 'application/json' };
  const answer = await fetch(`${gateway.url}/upload`, { method: 'POST', headers: sent, body });
  return answer.ok ? '202' : ((await answer.json()) as Problem).code;
}

const visitor = (address: string): Promise<string> => send({ 'x-forwarded-for': address });
const office = { 'x-forwarded-for': '192.0.2.1' };

it('four slow uploads of one visitor leave places for others, a /64 being one visitor', async () => {
  const uploads = ['2001:db8::1', '2001:db8::2', '2001:db8::3:4', '2001:db8::5'].map((each) => begin(from(each)));
  await expect
    .poll(() => uploads.map(({ outcome }) => outcome).filter((outcome) => outcome === '429 busy'))
    .toHaveLength(2);
  expect(await visitor('2001:db8::6')).toBe('busy');
  expect(await visitor('2001:db8:0:1::6')).toBe('202');
  expect(await visitor('::ffff:192.0.2.9')).toBe('202');
});

it('slow visitors of many networks leave a place for accounts, and accounts of one address count apart', async () => {
  const uploads = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map((each) => begin(from(each)));
  await expect.poll(() => uploads.filter(({ outcome }) => outcome === '429 busy').length).toBe(1);
  expect(await visitor('192.0.2.5')).toBe('busy');
  for (const name of ['one', 'two', 'three']) {
    const cookie = await signIn(gateway.ports, 'user', name);
    expect(await send({ ...office, cookie, origin: gateway.url })).toBe('202');
  }
});

it('a trickle ends within the minute when somebody waits, and a slow link goes on', async () => {
  const [first, second, link] = [begin(from('192.0.2.1')), begin(from('192.0.2.2')), begin(from('192.0.2.3'))];
  await expect.poll(freePlaces).toBe(1);
  let seconds = 0;
  const outcome = async (): Promise<string> => {
    seconds += 5;
    vi.advanceTimersByTime(5000);
    for (const trickle of [first, second]) if (!trickle.outcome) trickle.sending.write(evtx(5500));
    link.sending.write(evtx(5 * 20 * 1024));
    return visitor('192.0.2.4');
  };
  await expect.poll(outcome, { timeout: 30_000 }).toBe('202');
  expect(seconds).toBeLessThan(90);
  await expect.poll(() => [first.outcome, second.outcome]).toContain('429 busy');
  expect(link.outcome).toBeNull();
});

it('one that nobody waits for may be slow', async () => {
  const upload = begin(from('192.0.2.1'));
  await expect.poll(freePlaces).toBe(3);
  for (let at = 0; at < 30; at++) {
    vi.advanceTimersByTime(10_000);
    upload.sending.write(evtx(20_000));
    expect(await visitor('192.0.2.2')).toBe('202');
  }
  expect(upload.outcome).toBeNull();
});

it('the whole of it has its time, before its file begins too', async () => {
  const upload = begin(from('192.0.2.1'), 1500);
  await expect.poll(() => upload.outcome, { timeout: 20_000 }).not.toBeNull();
  expect(upload.outcome).not.toMatch(/^202/);
});

import { MemoryUploadAdmission } from '@svc/adapters/local/memory-upload-admission.ts';
import { AppError } from '@svc/domain';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UploadAdmission } from '../ports/upload-admission.ts';
import { takeLease, type UploadLease } from './upload-lease.ts';
import { longestUploadMs } from './upload-pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const chunk = new Uint8Array(65_536);
const unreachable = (): Promise<never> => Promise.reject(new AppError('coordination_down', 'down'));

/** Content that arrives piece by piece, each after a pause of so many seconds. */
async function* arriving(...pauses: number[]): AsyncGenerator<Uint8Array> {
  for (const seconds of pauses) {
    vi.advanceTimersByTime(seconds * 1000);
    yield chunk;
  }
}

async function received(lease: UploadLease, content: AsyncIterable<Uint8Array>): Promise<number> {
  let chunks = 0;
  for await (const _ of lease.receive(content)) chunks += 1;
  return chunks;
}

let senders = 0;
const take = (
  uploadAdmission: UploadAdmission,
  declaredBytes = 1_000_000_000,
  availableBytes: number | null = null,
): Promise<UploadLease> =>
  takeLease({ uploadAdmission }, { declaredBytes, holder: `account:${++senders}`, availableBytes });

describe('the lease of an upload', () => {
  it('is refused when all places are taken, until one is given back', async () => {
    const admission = new MemoryUploadAdmission(1);
    const first = await take(admission);
    await expect(take(admission)).rejects.toMatchObject({ code: 'busy' });
    await first.release();
    await take(admission);
  });

  it('lasts as long as bytes arrive', async () => {
    const admission = new MemoryUploadAdmission(1);
    const lease = await take(admission);
    expect(await received(lease, arriving(...Array<number>(30).fill(20)))).toBe(30);
    await expect(take(admission)).rejects.toMatchObject({ code: 'busy' });
  });

  it('asks once in a while, not for every chunk', async () => {
    const admission = new MemoryUploadAdmission(1);
    const hold = vi.spyOn(admission, 'hold');
    await received(await take(admission), arriving(...Array<number>(100).fill(0.1)));
    expect(hold.mock.calls.length).toBeLessThan(5);
  });

  it('is lost to another after a silence, and what comes then is not handed on', async () => {
    const admission = new MemoryUploadAdmission(1);
    const lease = await take(admission);
    let handedOn = 0;
    const content = async function* content(): AsyncGenerator<Uint8Array> {
      yield* arriving(1, 61);
      await take(admission);
      yield* arriving(61);
      await take(admission);
      yield* arriving(1);
    };
    const reading = async (): Promise<void> => {
      for await (const _ of lease.receive(content())) handedOn += 1;
    };
    await expect(reading()).rejects.toMatchObject({ code: 'busy' });
    expect(handedOn).toBe(2);
  });

  it('frees room as bytes arrive, since the store has them then', async () => {
    const admission = new MemoryUploadAdmission(9);
    const size = 10 * chunk.length;
    const lease = await take(admission, size, size);
    await expect(take(admission, size / 2, size)).rejects.toMatchObject({ code: 'low_space' });
    await received(lease, arriving(1, 1, 1, 1, 10));
    await take(admission, size / 2, size);
  });

  it('is ended when its bytes only trickle, however long it may take as a whole', async () => {
    const lease = await take(new MemoryUploadAdmission(1));
    expect(await received(lease, arriving(...Array<number>(60).fill(59)))).toBe(60);
    const trickle = async function* trickle(): AsyncGenerator<Uint8Array> {
      for await (const _ of arriving(...Array<number>(60).fill(20))) yield new Uint8Array(1024);
    };
    await expect(received(lease, trickle())).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('is over after the time of its size, however fast its last bytes come', async () => {
    const size = 60 * chunk.length;
    const pause = longestUploadMs(size) / 59_000;
    const lease = await take(new MemoryUploadAdmission(1), size);
    await expect(received(lease, arriving(...Array<number>(59).fill(pause), 0.1, 0.1))).rejects.toMatchObject({
      code: 'bad_request',
    });
    const faster = await take(new MemoryUploadAdmission(1), size);
    expect(await received(faster, arriving(...Array<number>(59).fill(pause * 0.99)))).toBe(59);
  });

  /** What arrives at this pace, a piece every ten seconds, while others ask for the place. */
  async function* wanted(
    admission: UploadAdmission,
    kibibytesASecond: number,
    seconds = 600,
  ): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < seconds; at += 10) {
      vi.advanceTimersByTime(10_000);
      await expect(take(admission)).rejects.toMatchObject({ code: 'busy' });
      yield new Uint8Array(kibibytesASecond * 10 * 1024);
    }
  }

  it('goes on at the pace of a slow link while others wait, and ends below it', async () => {
    const steady = new MemoryUploadAdmission(1);
    const lease = await take(steady);
    expect(await received(lease, wanted(steady, 16))).toBe(60);
    const slow = new MemoryUploadAdmission(1);
    await expect(received(await take(slow), wanted(slow, 15))).rejects.toMatchObject({ code: 'busy' });
    const alone = await take(new MemoryUploadAdmission(1));
    expect(await received(alone, arriving(...Array<number>(60).fill(10)))).toBe(60);
  });

  it('gives a trickle half a minute while others wait', async () => {
    const admission = new MemoryUploadAdmission(1);
    const lease = await take(admission);
    let handedOn = 0;
    const reading = async (): Promise<void> => {
      for await (const _ of lease.receive(wanted(admission, 2))) handedOn += 1;
    };
    await expect(reading()).rejects.toMatchObject({ code: 'busy', message: expect.stringContaining('others wait') });
    expect(handedOn).toBe(2);
  });

  it('outlives a coordination that is away for less than it lasts, and no longer', async () => {
    const admission = new MemoryUploadAdmission(1);
    const lease = await take(admission);
    const hold = vi.spyOn(admission, 'hold').mockImplementation(unreachable);
    expect(await received(lease, arriving(10, 20, 20))).toBe(3);
    hold.mockRestore();
    expect(await received(lease, arriving(6))).toBe(1);
    vi.spyOn(admission, 'hold').mockImplementation(unreachable);
    await expect(received(lease, arriving(20, 20, 21))).rejects.toMatchObject({ code: 'coordination_down' });
  });

  it('is not granted where nobody can be asked, and released all the same', async () => {
    const admission: UploadAdmission = { hold: unreachable, release: unreachable };
    await expect(take(admission)).rejects.toMatchObject({ code: 'coordination_down' });
    const granting: UploadAdmission = { hold: async () => 'held', release: unreachable };
    await (await take(granting)).release();
  });
});

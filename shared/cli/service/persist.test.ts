import { RequestError } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { persist } from './persist.ts';
import { ConnectionError } from './service-error.ts';

const refusal = (status: number, retryAfter: number | null = null) =>
  new RequestError(status, { detail: 'No.', code: 'no', request_id: null }, retryAfter);

/** How often work was done that fails with these errors in turn, and the pauses. */
async function tries(errors: readonly Error[], signal = new AbortController().signal) {
  const pauses: number[] = [];
  let count = 0;
  const result = await persist(
    async (attempt) => {
      expect(attempt).toBe(count++);
      const error = errors[attempt];
      if (error) throw error;
      return 'done';
    },
    { signal, waiting: (_, ms) => void pauses.push(ms) },
  ).catch((error: unknown) => error);
  return { count, pauses, result };
}

describe('persistence', () => {
  it.each([
    ['a lost connection', new ConnectionError('lost')],
    ['a busy service', refusal(429, 0)],
    ['one that is not there now', refusal(503, 0)],
    ['one that failed', refusal(500, 0)],
  ])('goes on after %s', async (_, error) => {
    expect(await tries([error])).toMatchObject({ count: 2, result: 'done' });
  });

  it.each([400, 401, 403, 404, 409, 410, 413, 507])('takes %s for an answer', async (status) => {
    const error = refusal(status, 0);
    expect(await tries([error])).toMatchObject({ count: 1, result: error });
  });

  it('takes a certificate that is not trusted, and the same failure three times, for an answer', async () => {
    const final = new ConnectionError('not trusted', { isFinal: true });
    expect(await tries([final])).toMatchObject({ count: 1, result: final });
    expect(await tries([refusal(500, 0), refusal(500, 0), refusal(500, 0)])).toMatchObject({ count: 3 });
  });

  it('waits as long as it is told, and a little of its own', async () => {
    const { pauses } = await tries([refusal(429, 1)]);
    expect(pauses).toHaveLength(1);
    expect(pauses[0]).toBeGreaterThanOrEqual(1000);
    expect(pauses[0]).toBeLessThanOrEqual(2000);
  });

  it('doubles its pauses where it is told nothing, up to half a minute, each of a random part', async () => {
    const pauses: number[] = [];
    const stop = new AbortController();
    const lost = new ConnectionError('lost');
    const waiting = (_: Error, ms: number): void => {
      pauses.push(ms);
      if (pauses.length === 2) stop.abort();
    };
    await expect(persist(() => Promise.reject(lost), { signal: stop.signal, waiting })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(pauses[0]).toBeGreaterThanOrEqual(500);
    expect(pauses[0]).toBeLessThanOrEqual(1000);
    expect(pauses[1]).toBeGreaterThanOrEqual(1000);
    expect(pauses[1]).toBeLessThanOrEqual(2000);
  });

  it('ends when all pauses would be longer than ten minutes', async () => {
    const error = refusal(503, 601);
    expect(await tries([error])).toMatchObject({ count: 1, pauses: [], result: error });
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 20);
    expect(await tries([refusal(429, 60)], stop.signal)).toMatchObject({ count: 1 });
  });
});

import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { HttpResult } from './http-event.ts';
import { KeptAnswers, unpacked } from './kept-answers.ts';

const answer = (body: string): HttpResult => ({ statusCode: 200, headers: { 'content-type': 'text/plain' }, body });

it('makes an answer once, for those who come meanwhile and later, packed or not', async () => {
  let made = 0;
  const kept = new KeptAnswers(1_000_000);
  const make = async (): Promise<HttpResult> => answer(`made ${++made}`);
  const [first, other] = await Promise.all([kept.get('a', make), kept.get('a', make)]);
  expect(await unpacked(first)).toEqual({ ...answer('made 1'), isBase64Encoded: false });
  expect(other).toMatchObject({ isBase64Encoded: true, headers: { 'content-encoding': 'gzip' } });
  expect(gunzipSync(Buffer.from(other.body, 'base64')).toString()).toBe('made 1');
  expect(await kept.get('a', make)).toEqual(first);
  expect((await unpacked(await kept.get('b', make))).body).toBe('made 2');
});

it('keeps no failure, and only the last used ones', async () => {
  const kept = new KeptAnswers(70);
  await expect(kept.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const get = async (key: string, body: string) => (await unpacked(await kept.get(key, async () => answer(body)))).body;
  // 28 characters each when packed.
  expect([await get('a', '1'), await get('b', '2'), await get('a', '3')]).toEqual(['1', '2', '1']);
  expect([await get('c', '4'), await get('a', '5'), await get('b', '6')]).toEqual(['4', '1', '6']);
  const large = Array.from({ length: 99 }, (_, at) => at * at).join();
  expect([await get('d', large), await get('d', 'new')]).toEqual([large, 'new']);
});

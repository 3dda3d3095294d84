import type { Request } from '@middy/core';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { httpEvent } from '../../test/support/http-events.ts';
import type { CallContext } from '../call-context.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';
import { compression } from './compression.ts';

const large = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => ({ index, name: 'a finding' })));

/** What becomes of an answer to a client that takes these codings. */
async function answered(body: string, accepted?: string): Promise<HttpResult> {
  const event = httpEvent('GET', '/jobs/7/findings.json', {
    headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
  });
  const response: HttpResult = { statusCode: 200, headers: { vary: 'Cookie' }, body };
  await compression().after!({ event, response, context: {} } as Request<HttpEvent, HttpResult, Error, CallContext>);
  return response;
}

it.each(['gzip', 'br, gzip;q=0.5', 'deflate , GZIP', '*'])('packs a large answer for %j', async (accepted) => {
  const { body, headers, isBase64Encoded } = await answered(large, accepted);
  expect({ headers, isBase64Encoded }).toEqual({
    headers: { vary: 'Cookie', 'content-encoding': 'gzip' },
    isBase64Encoded: true,
  });
  expect(gunzipSync(Buffer.from(body!, 'base64')).toString()).toBe(large);
  expect(body!.length).toBeLessThan(large.length / 5);
});

it.each([undefined, '', 'br', 'gzip;q=0', 'gzip; q=0.0', 'identity, *;q=0'])(
  'leaves it as it is for %j',
  async (accepted) => {
    expect(await answered(large, accepted)).toEqual({ statusCode: 200, headers: { vary: 'Cookie' }, body: large });
  },
);

it('leaves small answers to the edge', async () => {
  expect((await answered('{}', 'gzip')).body).toBe('{}');
});

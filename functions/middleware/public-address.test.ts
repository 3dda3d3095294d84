import { AppError } from '@svc/domain';
import type { Request } from '@middy/core';
import { expect, it } from 'vitest';
import { httpEvent } from '../../test/support/http-events.ts';
import type { CallContext } from '../call-context.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';
import { publicAddress } from './public-address.ts';

const key = 'the key of the edge';

/** What the middleware makes of a GET of `/jobs/a b`, as API Gateway hands it over. */
function received(
  headers: Readonly<Record<string, string>>,
  {
    edgeKey = key,
    siteUrl = null,
    path = '/jobs/a b',
  }: { edgeKey?: string | null; siteUrl?: string | null; path?: string } = {},
): { ip: string; path: string; host: string | undefined; origin: string | undefined } {
  const event = httpEvent('GET', path, { headers: { host: 'abc.execute-api.example', ...headers } });
  const request = { event, context: {} } as Request<HttpEvent, HttpResult, Error, CallContext>;
  void publicAddress({ deployment: { http: { edgeKey, siteUrl } } }).before!(request);
  const { requestContext, rawPath, headers: out } = request.event;
  expect(requestContext.http.path).toBe(rawPath);
  return { ip: requestContext.http.sourceIp, path: rawPath, host: out['host'], origin: requestContext.origin };
}

const forwarded = {
  'x-viewer-host': 'logs.example.org',
  'x-viewer-path': '/jobs/a%20b',
  'x-viewer-address': '198.51.100.10',
};
const asItCame = { ip: '192.0.2.7', path: '/jobs/a b', host: 'abc.execute-api.example', origin: undefined };

it('takes client, host and path from the edge that brings its key', () => {
  expect(received({ ...forwarded, 'x-origin-key': key })).toEqual({
    ip: '198.51.100.10',
    path: '/jobs/a%20b',
    host: 'logs.example.org',
    origin: 'https://logs.example.org',
  });
  expect(received({ 'x-origin-key': key })).toEqual(asItCame);
});

it.each([
  ['2001:db8::1', '2001:db8::1'],
  ['198.51.100.10', '198.51.100.10'],
  ['198.51.100.10, 203.0.113.9', '192.0.2.7'],
  ['', '192.0.2.7'],
])('reads the viewer in %j', (sent, ip) => {
  expect(received({ 'x-origin-key': key, 'x-viewer-address': sent })).toMatchObject({ ip });
});

it.each([undefined, '', 'the key of the edgE', `${key} `, key.slice(1)])('refuses the key %j', (sent) => {
  const refused = (): unknown => received({ ...forwarded, ...(sent !== undefined && { 'x-origin-key': sent }) });
  expect(refused).toThrow(AppError);
  expect(refused).toThrow(/public address/);
});

it('lets health be looked at without a key, and believes nothing of who looks', () => {
  expect(received(forwarded, { path: '/health' })).toEqual({ ...asItCame, path: '/health' });
});

it('believes no such header where there is no edge', () => {
  expect(received({ ...forwarded, 'x-origin-key': key }, { edgeKey: null })).toEqual(asItCame);
});

it('knows its site better than any header', () => {
  const site = { host: 'svc.example.org', origin: 'https://svc.example.org' };
  const siteUrl = site.origin;
  expect(received(forwarded, { edgeKey: null, siteUrl })).toMatchObject(site);
  expect(received({ ...forwarded, 'x-origin-key': key }, { siteUrl })).toMatchObject({ ...site, ip: '198.51.100.10' });
});

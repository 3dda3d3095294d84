import type { Request } from '@middy/core';
import { expect, it } from 'vitest';
import { httpEvent } from '../../test/support/http-events.ts';
import type { CallContext } from '../call-context.ts';
import type { HttpEvent, HttpResult } from '../http-event.ts';
import { bindingOf, boundSession } from './bound-session.ts';

const own = 'svc_auth=own.session.token';
const planted = 'svc_auth=attackers.session.token';

/** Which of these cookies the rest of the service sees. */
function seen(cookies: string[], { host = 'logs.example.org', secureCookies = true } = {}): string[] | undefined {
  const event = { ...httpEvent('GET', '/jobs', { headers: { host } }), cookies };
  const request = { event, context: {} } as Request<HttpEvent, HttpResult, Error, CallContext>;
  void boundSession({ deployment: { http: { secureCookies } } }).before?.(request);
  return request.event.cookies;
}

it('passes over a session that a sibling has planted, in place of another and beside it', () => {
  expect(seen([planted])).toEqual([]);
  expect(seen([own, bindingOf(own)])).toEqual([own, bindingOf(own)]);
  // A path that is longer comes first, whoever has set it.
  expect(seen([planted, own, bindingOf(own), 'svc_jobs_view=roomy'])).toEqual([
    own,
    bindingOf(own),
    'svc_jobs_view=roomy',
  ]);
  expect(seen([` ${planted}`, ` ${bindingOf(own)}`])).toEqual([bindingOf(own)]);
});

it.each(['localhost', 'svc.localhost:8000', '127.0.0.1:8000', '[::1]:8000'])(
  'asks for no second cookie on %s, where browsers may not keep one and no sibling is',
  (host) => {
    expect(seen([own], { host })).toEqual([own]);
  },
);

it.each(['127.0.0.1.example.org', 'localhost.example.org', 'notlocalhost', ''])('asks for it on %j', (host) => {
  expect(seen([own], { host })).toEqual([]);
});

it('cannot be had without TLS, where cookies are not Secure', () => {
  expect(seen([own], { secureCookies: false })).toEqual([own]);
});

import { privateHeaders, type Problem } from '@svc/contracts';
import type { HttpResult } from '@svc/functions/http-event.ts';
import { requestIdOf } from '@svc/functions/middleware/request-id.ts';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Client } from './client.ts';

/**
 * Whether the host of a request is one of ours. By DNS rebinding a page can make its own name lead here, but neither
 * an address nor a loopback name. Forwarded hosts are checked beside `Host`, since such a page can send them as well.
 * @param names beside those of loopback; null for any.
 */
export function hostCheck(
  names: readonly string[] | null,
): (request: Pick<IncomingMessage, 'headersDistinct'>, client: Pick<Client, 'hosts'>) => boolean {
  if (names === null) return () => true;
  const isServed = (host: string): boolean => {
    const name = nameOf(host);
    return name !== null && (isIP(name) !== 0 || /^(.+\.)?localhost$/.test(name) || names.includes(name));
  };
  // Without any it is no browser that asks.
  return ({ headersDistinct }, { hosts }) => [...(headersDistinct['host'] ?? []), ...hosts].every(isServed);
}

/** Without port, brackets and final dot, as browsers write it; null for what is no host. */
function nameOf(host: string): string | null {
  if (/[\s,/?#@\\]/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$|\.$/g, '');
}

/**
 * What a request for another host is told.
 * @param always headers of every answer.
 */
export function unservedHost(
  { headers: sent }: Pick<IncomingMessage, 'headers'>,
  always: Readonly<Record<string, string>>,
): HttpResult {
  const id = requestIdOf(sent['x-request-id']?.toString());
  const detail =
    'This service is not known by the host name of this request. Ask for it as localhost or by its address; its operator can name further hosts in ALLOWED_HOSTS, or its public address in SITE_URL.';
  const problem: Problem = { detail, code: 'forbidden', request_id: id };
  const headers = { ...always, ...privateHeaders, 'x-request-id': id, 'content-type': 'application/json' };
  return { statusCode: 403, headers, body: JSON.stringify(problem) };
}

import { linkMs } from '@svc/application/report/download.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { HttpMiddleware } from '../call-context.ts';
import type { HttpResult } from '../http-event.ts';

/** What Lambda hands over of an answer, as JSON with all that is beside its body ("Lambda quotas": 6 MB for a response). */
const mostBytes = 6_000_000;
/** As JSON a character takes six bytes at most, so that what has fewer than this need not be measured. */
const surelyFits = (mostBytes - 100_000) / 6;

/** What the store says of the object in place of the service. */
const described = ['content-type', 'content-disposition', 'content-encoding', 'cache-control'] as const;

/**
 * In a Lambda function, sends whoever asked for more than it can hand over to the object store: by an address that
 * nobody can guess, for five minutes. What the answer is for is decided by then, as for any other.
 */
export function largeAnswers({
  clock,
  objects,
  uploadTargets,
}: Pick<Ports, 'clock' | 'objects' | 'uploadTargets'>): HttpMiddleware {
  return {
    after: async (request) => {
      const { context, response } = request;
      // Outside Lambda there is no context of its, and no limit.
      if (!response?.body || !('awsRequestId' in context) || !isTooLarge(response)) return;
      const { body, isBase64Encoded, headers = {}, ...rest } = response;
      const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
      const { key } = await objects.create('.answer', once(bytes), 'answers');
      const expiresAt = new Date(clock.now().getTime() + linkMs);
      const said = Object.entries(headers).filter(([name]) => (described as readonly string[]).includes(name));
      const location = await uploadTargets.presignGet({
        key,
        expiresAt,
        headers: Object.fromEntries(said.map(([name, value]) => [name, String(value)])),
      });
      if (location === null) throw new Error('clients do not reach the store, and the answer is too large for Lambda');
      const { 'content-type': _type, 'content-disposition': _as, 'content-encoding': _coding, ...others } = headers;
      request.response = { ...rest, statusCode: 303, headers: { ...others, location } };
    },
  };
}

function isTooLarge(response: HttpResult): boolean {
  return (response.body?.length ?? 0) > surelyFits && Buffer.byteLength(JSON.stringify(response)) > mostBytes;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

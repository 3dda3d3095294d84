import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { HttpMiddleware } from '../call-context.ts';

/** From here on; what is smaller the edge or a proxy compresses at less cost. */
const largeBytes = 1_048_576;

/** Compresses large answers for clients that take gzip: JSON shrinks to a tenth of its size. */
export function compression(): HttpMiddleware {
  return {
    after: async ({ event, response }) => {
      if (
        !response?.body ||
        response.isBase64Encoded ||
        response.body.length < largeBytes ||
        !takesGzip(event.headers['accept-encoding'])
      )
        return;
      const packed = await promisify(gzip)(response.body, { level: constants.Z_BEST_SPEED });
      response.body = packed.toString('base64');
      response.isBase64Encoded = true;
      response.headers = { ...response.headers, 'content-encoding': 'gzip' };
    },
  };
}

/** Whether `Accept-Encoding` names it, and does not rule it out by `q=0`. */
export function takesGzip(accepted = ''): boolean {
  return accepted.split(',').some((each) => /^\s*(gzip|\*)\s*(;|$)/i.test(each) && !/;\s*q=0(\.0*)?\s*$/.test(each));
}

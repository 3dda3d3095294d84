import { randomUUID } from 'node:crypto';
import type { HttpMiddleware } from '../call-context.ts';

const safe = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's request id when it is harmless, else a new one (resolved-platform 15.2). */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && safe.test(sent) ? sent : randomUUID();
}

/** Gives every request an id, which the answer, its problem and the log carry. */
export function requestId(): HttpMiddleware {
  return {
    before: ({ event, context }) => {
      context.requestId = requestIdOf(event.headers['x-request-id']);
      context.startedAt = performance.now();
      context.answerHeaders = { 'x-request-id': context.requestId };
    },
  };
}

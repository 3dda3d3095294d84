import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { CallContext } from '../call-context.ts';
import type { HttpEvent } from '../http-event.ts';

const safe = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's request id when it is harmless, else a new one (resolved-platform 15.2). */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && safe.test(sent) ? sent : randomUUID();
}

/** The context of a request that begins, with the id which its answer, its problem and its log lines carry. */
export function startedCall({ headers }: HttpEvent, context: Context | undefined): CallContext {
  const requestId = requestIdOf(headers['x-request-id']);
  const started = { requestId, startedAt: performance.now(), answerHeaders: { 'x-request-id': requestId } };
  // Outside Lambda there is no context, and nothing asks for one.
  return { ...context, ...started } as CallContext;
}

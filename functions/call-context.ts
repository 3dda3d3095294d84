import type { UploadLease } from '@svc/application/submissions/upload-lease.ts';
import type { Before } from '@svc/application/admin/activity/deeds/teller.ts';
import type { Actor, AppError } from '@svc/domain';
import type { MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { HttpEvent, HttpResult } from './http-event.ts';
import type { Route } from './route.ts';

/** What the middleware has found out about a request so far; it travels in the Lambda context. */
export interface CallContext extends Context {
  requestId: string;
  startedAt: number;
  route?: Route;
  params?: Readonly<Record<string, string>>;
  actor?: Actor;
  /** Why the caller's credentials are not good, if they are not. */
  refusal?: AppError;
  /** Of an upload, until its request is answered. */
  lease?: UploadLease;
  input?: unknown;
  /** What the use case has answered. */
  output?: unknown;
  /** How things were before, where it is recorded what the request does. */
  earlier?: Before;
  /** Headers of the answer whatever it will be. */
  answerHeaders: Record<string, string>;
}

export type HttpMiddleware = MiddlewareObj<HttpEvent, HttpResult, Error, CallContext>;

/** The route and its caller, for what comes after routing and authentication. */
export function callOf({ route, actor }: CallContext): { route: Route; actor: Actor } {
  if (!route || !actor) throw new Error('routing and authentication come first');
  return { route, actor };
}

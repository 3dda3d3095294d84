import type { Problem } from '@svc/contracts';
import type { HttpResult } from '@svc/functions/http-event.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long after the start requests still wait for it, rather than being refused. */
const patienceMs = 10_000;

/** Waits for what is prepared; once that takes longer than clients should wait, rejects at once. */
export function readiness(prepared: Promise<unknown>, waitMs = patienceMs): () => Promise<unknown> {
  const late = sleep(waitMs, undefined, { ref: false }).then(() => Promise.reject(new Error('not prepared yet')));
  late.catch(() => undefined);
  let ready = Promise.race([prepared, late]);
  // Nobody may ask for as long as it takes.
  ready.catch(() => undefined);
  prepared.then(
    () => (ready = prepared),
    () => undefined,
  );
  return () => ready;
}

/** Whether requests can be served. */
export function isReady({ ready }: { readonly ready: () => Promise<unknown> }): Promise<boolean> {
  return ready().then(
    () => true,
    () => false,
  );
}

/** What a request is told that comes too early. */
export function starting(): HttpResult {
  const detail = 'The service is starting and waits for its database; try again shortly';
  const problem: Problem = { detail, code: 'unavailable', request_id: randomUUID() };
  return {
    statusCode: 503,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store, private', 'retry-after': '5' },
    body: JSON.stringify(problem),
  };
}

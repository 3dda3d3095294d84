import { admitUpload, checkDeclaredLength, refuseInDemoMode } from '@svc/application/submissions/admit-upload.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Operation } from '@svc/contracts';
import { AppError } from '@svc/domain';
import { callOf, type HttpMiddleware } from '../call-context.ts';
import type { HttpEvent } from '../http-event.ts';
import { declaredBytes, refuseLargerThan } from '../request-body.ts';

/** Refuses bodies with a file by their declared length alone (resolved-platform 10.1, checks 1 and 2). */
export function declaredLength({ deployment }: Pick<Ports, 'deployment'>): HttpMiddleware {
  return {
    before: ({ event, context }) => {
      const operation = context.route?.operation;
      if (!operation?.file && !operation?.raw) return;
      const declared = declaredBytes(event);
      if (operation.bodyLimit === undefined) checkDeclaredLength(deployment, declared);
      else if (declared === null) throw new AppError('length_required', 'Send a Content-Length header');
      else refuseLargerThan(operation.bodyLimit, declared);
    },
  };
}

const release: NonNullable<HttpMiddleware['after']> = async ({ context }) => context.lease?.release();

/**
 * Takes a place and room for a form with a file before a byte of it is read (check 4), and gives both back at its
 * end. A reserved upload takes its place later, when its reservation has told whose it is.
 */
export function uploadAdmission(ports: Pick<Ports, 'objects' | 'uploadAdmission'>): HttpMiddleware {
  return {
    before: async ({ event, context }) => {
      const { route, actor } = callOf(context);
      if (route.operation.raw || !isUpload(route.operation, event)) return;
      const userId = actor.kind === 'account' ? actor.userId : null;
      context.lease = await admitUpload(ports, { userId, ip: actor.ip }, declaredBytes(event) ?? 0);
    },
    after: release,
    onError: release,
  };
}

/** Refuses uploads to a demonstration, also before they are read (check 6). */
export function demoMode(ports: Pick<Ports, 'settings'>): HttpMiddleware {
  return {
    before: async ({ event, context }) => {
      if (isUpload(context.route?.operation, event)) await refuseInDemoMode(ports);
    },
  };
}

/** Whether a file is stored, rather than looked at or named. */
function isUpload(operation: Operation | undefined, event: HttpEvent): boolean {
  if (operation?.raw) return true;
  return event.requestContext.form !== undefined && operation?.bodyLimit === undefined;
}

import { admitUpload } from '@svc/application/submissions/admit-upload.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { AppError } from '@svc/domain';
import type { HttpMiddleware } from '../call-context.ts';
import { declaredBytes, refuseLargerThan } from '../request-body.ts';

/** Decides on uploads by their declared length, before a byte is read (resolved-platform 10.1). */
export function uploadAdmission(ports: Pick<Ports, 'deployment' | 'objects' | 'settings'>): HttpMiddleware {
  return {
    before: async ({ event, context }) => {
      const operation = context.route?.operation;
      if (!operation?.file) return;
      const declared = declaredBytes(event);
      if (operation.bodyLimit === undefined) return admitUpload(ports, declared);
      if (declared === null) throw new AppError('length_required', 'Send a Content-Length header');
      refuseLargerThan(operation.bodyLimit, declared);
    },
  };
}

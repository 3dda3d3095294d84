import { AppError } from '@svc/domain';
import { Readable } from 'node:stream';
import type { HttpMiddleware } from '../call-context.ts';
import { incomingForm, type UploadPorts } from '../incoming-form.ts';
import { bodyOf, declaredBytes, hasFields } from '../request-body.ts';

/** Largest body with a file that a function takes: Lambda's six megabytes are for its base64, and the headers. */
const largestFormBytes = 4 * 1_048_576;

/** Makes a form of the body that API Gateway hands over whole; the gateway's forms are still on their way. */
export function formInBody(ports: UploadPorts): HttpMiddleware {
  return {
    before: (request) => {
      const { event, context } = request;
      if (!context.route?.operation.file || event.requestContext.form || hasFields(event)) return;
      if ((declaredBytes(event) ?? 0) > largestFormBytes) throw tooLargeForm();
      const form = incomingForm(ports, { headers: event.headers, open: () => Readable.from(bodyOf(event)) });
      request.event = { ...event, requestContext: { ...event.requestContext, form } };
    },
  };
}

function tooLargeForm(): AppError {
  const limit = `${largestFormBytes / 1_048_576} MiB`;
  return new AppError(
    'too_large',
    `A form of more than ${limit} cannot be taken here; reserve an upload with POST /api/v1/uploads and send the file to the address it answers`,
  );
}

import type { Log } from '@svc/application/ports/log.ts';
import type { Problem, TaxiiError } from '@svc/contracts';
import { AppError, type ErrorCode, statusOf, taxiiType } from '@svc/domain';
import { STATUS_CODES } from 'node:http';
import type { HttpMiddleware } from '../call-context.ts';
import { isTaxiiAddress } from './taxii.ts';

/** Seconds after which to try again, by code; else by status. */
const retryAfter: Partial<Record<ErrorCode, number>> = { busy: 5, rate_limited: 60 };
const retryAfterUnavailable = 5;

/**
 * Turns what was thrown into a problem: refusals in their own words, anything else a 500 that says
 * nothing but the request id. What is the service's own fault is logged whole.
 */
export function problemResponse({ log }: { log: Log }): HttpMiddleware {
  return {
    onError: (request) => {
      const { context, error, event } = request;
      const { detail, code, reasons } =
        error instanceof AppError ? { detail: error.message, code: error.code, reasons: error.reasons } : unknown;
      const status = statusOf[code];
      if (status >= 500) {
        log.error('request failed', { operation: context.route?.name, error });
      }
      const own = error instanceof AppError ? error.retryAfter : null;
      const wait = own ?? retryAfter[code] ?? (status === 503 ? retryAfterUnavailable : undefined);
      const body: Problem = {
        detail,
        code,
        request_id: context.requestId,
        ...(reasons && { errors: reasons.map((reason) => ({ ...reason })) }),
      };
      const isTaxii = isTaxiiAddress(event.rawPath);
      request.response = {
        statusCode: status,
        headers: {
          'content-type': isTaxii ? taxiiType : 'application/json',
          ...(isTaxii && status === 401 && { 'www-authenticate': 'Bearer' }),
          ...(wait !== undefined && { 'retry-after': String(wait) }),
        },
        body: JSON.stringify(isTaxii ? taxiiError(body, status) : body),
      };
    },
  };
}

function taxiiError({ detail, code, request_id: id }: Problem, status: number): TaxiiError {
  return {
    title: STATUS_CODES[status] ?? 'Refused',
    description: detail,
    error_id: id,
    error_code: code,
    http_status: String(status),
    detail,
  };
}

const unknown = {
  detail: 'The service failed; its log has the reason under this request id',
  code: 'internal',
  reasons: null,
} as const;

import { RequestError } from '@svc/contracts';
import type { ErrorCode } from '@svc/domain';

/** Text of a form's field; empty when there is none of that name. */
export function fieldText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The service's words for a refusal with one of these codes, to stand at the field that it is about. */
export function refusalAt(error: unknown, ...codes: readonly ErrorCode[]): string | undefined {
  return isRefusal(error, codes) ? error.message : undefined;
}

/** Whether the service refused with one of these codes. */
export function isRefusal(error: unknown, codes: readonly ErrorCode[]): error is RequestError {
  return error instanceof RequestError && (codes as readonly string[]).includes(error.code);
}

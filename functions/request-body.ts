import { AppError } from '@svc/domain';
import { gathered } from './form-fields.ts';
import type { HttpEvent } from './http-event.ts';

/** Largest body of ordinary operations (service 8.2). */
export const ordinaryBodyBytes = 1_048_576;

/** `Content-Length`, or the length of a body that is here already; null when it is missing or no number. */
export function declaredBytes({ headers, body, isBase64Encoded }: HttpEvent): number | null {
  const length = headers['content-length'];
  if (length !== undefined) return /^\d+$/.test(length) ? Number(length) : null;
  return body === undefined ? null : Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
}

/** Throws `too_large`. */
export function refuseLargerThan(limit: number, bytes: number): void {
  if (bytes > limit) throw new AppError('too_large', `The request body is larger than ${limit / 1024} KiB`);
}

/** The body as API Gateway has received it. */
export function bodyOf({ body, isBase64Encoded }: HttpEvent): Buffer<ArrayBuffer> {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

/** Whether a body says that it is fields alone, without a file among them. */
export function hasFields({
  headers,
}: {
  readonly headers: { readonly 'content-type'?: string | undefined };
}): boolean {
  return /^application\/(json|x-www-form-urlencoded)\b/i.test(headers['content-type'] ?? '');
}

/** Whether a body is what a browser's form sends, rather than JSON. */
export function isForm({ headers }: HttpEvent): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(headers['content-type'] ?? '');
}

/** The body's fields, whether it is JSON or a form; `limit` in bytes. Throws `bad_request` and `too_large`. */
export async function bodyFields(event: HttpEvent, limit: number): Promise<Record<string, unknown>> {
  refuseLargerThan(limit, declaredBytes(event) ?? 0);
  const body = bodyOf(event);
  refuseLargerThan(limit, body.length);
  if (body.length === 0) return {};
  const type = event.headers['content-type'] ?? '';
  if (/^application\/json\b/i.test(type)) return jsonFields(body.toString());
  if (isForm(event)) return formFields(body, type);
  throw new AppError('bad_request', 'Send the fields as application/json or as a form');
}

function jsonFields(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (cause) {
    throw new AppError('bad_request', 'The request body is not valid JSON', { cause });
  }
  throw new AppError('bad_request', 'The request body must be a JSON object');
}

/** A file counts as its text. */
async function formFields(body: Buffer<ArrayBuffer>, type: string): Promise<Record<string, unknown>> {
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    const entries = [...form].map(async ([name, sent]) => [name, await textOf(sent)] as const);
    return gathered(await Promise.all(entries));
  } catch (cause) {
    throw new AppError('bad_request', 'The form cannot be read', { cause });
  }
}

/** Throws on what is no UTF-8. */
async function textOf(sent: string | Blob): Promise<string> {
  if (typeof sent === 'string') return sent;
  return new TextDecoder('utf-8', { fatal: true }).decode(await sent.arrayBuffer());
}

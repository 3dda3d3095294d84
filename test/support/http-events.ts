import type { Ports } from '@svc/application/ports/ports.ts';
import { spoolUpload } from '@svc/application/submissions/spool-upload.ts';
import { bindingOf } from '@svc/functions/middleware/bound-session.ts';
import type { FormFields, HttpEvent, HttpResult, IncomingForm } from '@svc/functions/http-event.ts';

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly form?: IncomingForm;
}

/** An API Gateway v2 event; session cookies get their `__Host-` companion, as in browsers. */
export function httpEvent(method: string, path: string, sent: Sent = {}): HttpEvent {
  const query = new URLSearchParams(sent.query);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query.toString(),
    headers: { host: 'svc.example.org', accept: 'application/json', ...sent.headers },
    cookies: (sent.cookies ?? []).flatMap((each) => (each.startsWith('svc_auth=') ? [each, bindingOf(each)] : [each])),
    queryStringParameters: { ...sent.query },
    requestContext: {
      accountId: '1',
      apiId: 'api',
      domainName: 'svc.example.org',
      domainPrefix: 'svc',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.7', userAgent: 'test' },
      requestId: 'unused',
      routeKey: '$default',
      stage: '$default',
      time: '01/Aug/2026:10:15:00 +0000',
      timeEpoch: 1_785_579_300_000,
      ...(sent.form && { form: sent.form }),
    },
    isBase64Encoded: false,
    ...(sent.body !== undefined && { body: sent.body }),
  };
}

/** A POST of JSON fields. */
export function jsonPost(path: string, fields: unknown, sent: Sent = {}): HttpEvent {
  const headers = { 'content-type': 'application/json', ...sent.headers };
  return httpEvent('POST', path, { ...sent, headers, body: JSON.stringify(fields) });
}

/** A form with one file, as the gateway hands it to a handler; `keys` collects what was stored. */
export function formOf(
  { objects }: Pick<Ports, 'objects'>,
  fields: FormFields,
  file: { name: string; bytes: Uint8Array },
  keys: string[] = [],
): IncomingForm {
  async function* content(): AsyncGenerator<Uint8Array> {
    yield file.bytes;
  }
  return {
    store: async () => {
      const spooled = await spoolUpload({ objects }, { fileName: file.name, content: content() });
      keys.push(spooled.key);
      return { fields, file: spooled };
    },
    peek: async () => ({ fields, head: file.bytes.subarray(0, 65_536) }),
  };
}

/** Body of an answer. */
export function bodyOf(result: HttpResult): unknown {
  return JSON.parse(result.body ?? 'null');
}

/** What tells one refusal from another. */
export function refusal(result: HttpResult): [number | undefined, unknown] {
  const body = bodyOf(result) as { code?: unknown; error_code?: unknown } | null;
  // As TAXII has it.
  return [result.statusCode, body?.code ?? body?.error_code];
}

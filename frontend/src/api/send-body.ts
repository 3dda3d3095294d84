import type { RequestError } from '@svc/contracts';

/** A failed sending: the service's refusal, or null when no answer came back. */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly refusal: RequestError | null;

  constructor(refusal: RequestError | null) {
    super(refusal?.message ?? 'The connection was lost while sending.');
    this.refusal = refusal;
  }
}

/** Where a body goes. */
export interface SendTarget {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends a body and tells how much of it is gone. XMLHttpRequest, because fetch tells no progress of
 * what it sends. Rejects with a `SendError` when no answer comes back; any answer is one.
 */
export function sendBody(
  { method, url, headers }: SendTarget,
  body: XMLHttpRequestBodyInit,
  watch: { signal: AbortSignal; onProgress: (sent: number) => void },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const stopped = (): void => reject(new DOMException('Stopped', 'AbortError'));
    if (watch.signal.aborted) return stopped();
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => watch.onProgress(loaded));
    request.addEventListener('load', () => resolve(responseOf(request)));
    request.addEventListener('error', () => reject(new SendError(null)));
    request.addEventListener('abort', stopped);
    watch.signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request;
  const after = request.getResponseHeader('retry-after');
  return new Response(responseText === '' ? null : responseText, {
    status,
    headers: after === null ? {} : { 'retry-after': after },
  });
}

import { call, operations, problemOf, type DetectedType, type RequestError, type SubmittedJob } from '@svc/contracts';

/** Fields beside the file (resolved-platform 10.1). */
export interface SendOptions {
  readonly workflowId: number;
  readonly logType: string;
  readonly isPrivate: boolean;
  readonly force: boolean;
}

/** A failed sending: the service's refusal, or null when no answer came back. */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly refusal: RequestError | null;
  /** What `Retry-After` said, in seconds. */
  readonly retryAfter: number | null;

  constructor(refusal: RequestError | null, retryAfter: number | null) {
    super(refusal?.message ?? 'The connection was lost while sending.');
    this.refusal = refusal;
    this.retryAfter = retryAfter;
  }
}

/**
 * Sends one file as a job. XMLHttpRequest, because fetch tells no progress of what it sends;
 * fields go before the file, so that the service knows them when the bytes arrive.
 */
export function sendFile(
  file: File,
  options: SendOptions,
  watch: { signal: AbortSignal; onProgress: (sent: number) => void },
): Promise<SubmittedJob> {
  const form = new FormData();
  form.set('workflow_id', String(options.workflowId));
  form.set('log_type_override', options.logType);
  form.set('is_private', String(options.isPrivate));
  form.set('force_resubmit', String(options.force));
  form.set('file', file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(operations.uploadFile.method, operations.uploadFile.path);
    request.setRequestHeader('accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded }) => watch.onProgress(Math.min(loaded, file.size)));
    request.addEventListener('load', () => settle(request, resolve, reject));
    request.addEventListener('error', () => reject(new SendError(null, null)));
    request.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')));
    watch.signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function settle(request: XMLHttpRequest, resolve: (job: SubmittedJob) => void, reject: (error: Error) => void): void {
  const { status, responseText } = request;
  if ((operations.uploadFile.success as readonly number[]).includes(status)) {
    resolve(operations.uploadFile.output.parse(JSON.parse(responseText)));
    return;
  }
  const after = Number(request.getResponseHeader('retry-after'));
  void problemOf(new Response(responseText, { status })).then((refusal) =>
    reject(new SendError(refusal, Number.isFinite(after) && after > 0 ? after : null)),
  );
}

const PREVIEW_BYTES = 64 * 1024;

/** Asks what kind of log a file is, from its first 64 KiB. */
export async function detectType(file: File, signal: AbortSignal): Promise<DetectedType> {
  const form = new FormData();
  form.set('file', file.slice(0, PREVIEW_BYTES), file.name);
  const { method, path, output } = operations.detectPreview;
  const response = await fetch(path, { method, body: form, signal, headers: { accept: 'application/json' } });
  if (!response.ok) throw await problemOf(response);
  return output.parse(await response.json());
}

/** Submits one of the service's own sample logs. */
export function submitSample(name: string): Promise<SubmittedJob> {
  return call(operations.submitSample, { name });
}

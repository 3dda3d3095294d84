import { call, operations, problemOf, type DetectedType, type SubmittedJob } from '@svc/contracts';
import { sendBody, SendError } from './send-body.ts';
import { fieldsOf, type SendOptions, type SendWatch } from './send-options.ts';
import { sendUpload } from './send-upload.ts';

/** Sends one file as a job: in one form up to `formBytes`, as the service says, else as an upload of its own. */
export function sendFile(file: File, options: SendOptions, watch: SendWatch, formBytes: number): Promise<SubmittedJob> {
  return file.size <= formBytes ? sendForm(file, options, watch) : sendUpload(file, options, watch);
}

/** Fields go before the file, so that the service knows them when the bytes arrive. */
async function sendForm(file: File, options: SendOptions, watch: SendWatch): Promise<SubmittedJob> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fieldsOf(options))) form.set(name, String(value));
  form.set('file', file, file.name);
  const { method, path, output } = operations.uploadFile;
  const target = { method, url: path, headers: { accept: 'application/json' } };
  const response = await sendBody(target, form, {
    signal: watch.signal,
    onProgress: (sent) => watch.onProgress(Math.min(sent, file.size), 'sending'),
  });
  if (!response.ok) throw new SendError(await problemOf(response));
  return output.parse(await response.json());
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

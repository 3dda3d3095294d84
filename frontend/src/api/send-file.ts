import { operations, problemOf, type SubmittedJob } from '@svc/contracts';
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
  const keyed = watch.idempotencyKey === null ? {} : { 'idempotency-key': watch.idempotencyKey };
  form.set('file', file, file.name);
  const { method, path } = operations.uploadFile;
  const target = { method, url: path, headers: { accept: 'application/json', ...keyed } };
  const response = await sendBody(target, form, {
    signal: watch.signal,
    onProgress: (sent) => watch.onProgress(Math.min(sent, file.size), 'sending'),
  });
  if (!response.ok) throw new SendError(await problemOf(response));
  return (await response.json()) as SubmittedJob;
}

import { call, operations, problemOf, RequestError, type SubmittedJob, type UploadTicket } from '@svc/contracts';
import { hashFile } from './hash-file.ts';
import { sendBody, SendError } from './send-body.ts';
import { fieldsOf, type SendOptions, type SendWatch } from './send-options.ts';

/** What is done already of the sending of a file. */
interface Sending {
  sha256?: string;
  ticket?: UploadTicket;
  sent?: true;
}

/** A second attempt goes on where the first was left, for as long as the page has the file. */
const sendings = new WeakMap<File, Sending>();
/** Of a lost connection; waits in milliseconds before each. */
const retries = [1000, 4000];
/** Refusals that a new reservation may get around: too old, or of a file that has changed since. */
const outdated = new Set(['no_upload', 'upload_used', 'digest_mismatch', 'length_mismatch']);

/**
 * Sends one file in three steps: reserve an upload for its digest, send its bytes, submit the upload.
 * Each step is repeated by itself after a lost connection: the same upload never becomes two jobs.
 */
export async function sendUpload(file: File, options: SendOptions, watch: SendWatch): Promise<SubmittedJob> {
  const isSecond = sendings.has(file);
  try {
    return await attempt(file, options, watch);
  } catch (error) {
    if (!isOutdated(error)) throw error;
    sendings.delete(file);
    if (!isSecond) throw error;
    return attempt(file, options, watch);
  }
}

async function attempt(file: File, options: SendOptions, watch: SendWatch): Promise<SubmittedJob> {
  const sending: Sending = sendings.get(file) ?? {};
  sendings.set(file, sending);
  const { signal } = watch;
  const sha256 = (sending.sha256 ??= await hashFile(file, {
    signal,
    onProgress: (done) => watch.onProgress(done, 'hashing'),
  }));
  const announced = { filename: file.name, size_bytes: file.size, sha256 };
  const ticket = (sending.ticket ??= await again(signal, () =>
    call(operations.createPublicUpload, announced, { signal }),
  ));
  if (!sending.sent) await again(signal, () => sendBytes(file, ticket, watch));
  sending.sent = true;
  const submission = { ...fieldsOf(options), upload_id: ticket.upload_id };
  const job = await again(signal, () => call(operations.uploadFile, submission, { signal }));
  // Analysed anew, the same file is another submission.
  sendings.delete(file);
  return job;
}

async function sendBytes(file: File, ticket: UploadTicket, watch: SendWatch): Promise<void> {
  const { signal, onProgress } = watch;
  const response = await sendBody(ticket, file, { signal, onProgress: (sent) => onProgress(sent, 'sending') });
  // What a store of its own says of bytes that are there already: the answer to an earlier try was lost.
  if (!response.ok && response.status !== 412) throw new SendError(await problemOf(response));
}

/** Does it again after a lost connection; refusals are answers. */
async function again<T>(signal: AbortSignal, step: () => Promise<T>): Promise<T> {
  for (const wait of retries) {
    try {
      return await step();
    } catch (error) {
      if (!isLost(error)) throw refused(error);
      await new Promise((resolve) => setTimeout(resolve, wait));
      signal.throwIfAborted();
    }
  }
  return step().catch((error: unknown) => {
    throw isLost(error) ? new SendError(null) : refused(error);
  });
}

/** `fetch` says so by a TypeError. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof SendError && error.refusal === null);
}

function refused(error: unknown): unknown {
  return error instanceof RequestError ? new SendError(error) : error;
}

function isOutdated(error: unknown): boolean {
  if (!(error instanceof SendError) || error.refusal === null) return false;
  // An object store that holds the upload refuses what is too old in words of its own.
  const { code, status } = error.refusal;
  return outdated.has(code) || (code === 'unknown' && status === 403);
}

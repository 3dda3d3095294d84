import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { tooLarge } from '@svc/application/submissions/admit-upload.ts';
import { headBytes, spoolUpload } from '@svc/application/submissions/spool-upload.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { AppError } from '@svc/domain';
import type { Readable } from 'node:stream';
import { gathered } from './form-fields.ts';
import type { FormFields, IncomingForm } from './http-event.ts';

export type UploadPorts = Pick<Ports, 'deployment' | 'objects'>;

/** What becomes of the file of a form. */
interface FileTaker<T> {
  take(fileName: string, content: AsyncIterable<Uint8Array>): Promise<T>;
  /** Undoes `take` for a form that is refused after all. */
  discard(taken: T): Promise<void>;
}

const limits = { fields: 50, fieldSize: 65_536, parts: 60, headerPairs: 50 };

/** A multipart body. */
export interface FormBody {
  /** Names of headers are in lower case. */
  readonly headers: Readonly<Record<string, unknown>> & { readonly 'content-type'?: string | undefined };
  /** Called once, when the body is wanted. */
  readonly open: () => Readable;
}

/** The form in a body, to be read when the handler asks. */
export function incomingForm({ objects, deployment }: UploadPorts, body: FormBody): IncomingForm {
  return {
    store: async (lease) => {
      const { fields, taken } = await readForm(body, deployment.maxUploadBytes, {
        take: (fileName, content) => spoolUpload({ objects }, { fileName, content: lease.receive(content) }),
        discard: ({ key }) => objects.delete(key),
      });
      return { fields, file: taken };
    },
    peek: async () => {
      const { fields, taken } = await readForm(body, deployment.maxUploadBytes, {
        take: (_fileName, content) => headOf(content),
        discard: () => Promise.resolve(),
      });
      if (taken === null) throw oneFile();
      return { fields, head: taken };
    },
  };
}

interface Parts<T> {
  readonly fields: [name: string, value: string][];
  file: { readonly name: string; readonly stream: BusboyFileStream; readonly taking: Promise<T> } | null;
}

/**
 * Reads a form with exactly one file. Refusals leave the body open, so that they can be answered;
 * what was taken of the file before is discarded by the time this rejects.
 */
async function readForm<T>(
  { headers, open }: FormBody,
  maxFileBytes: number,
  taker: FileTaker<T>,
): Promise<{ fields: FormFields; taken: T | null }> {
  const body = open();
  const parser = parserFor(headers, maxFileBytes);
  const parts: Parts<T> = { fields: [], file: null };
  try {
    const parsed = listen(parser, parts, taker);
    const gone = (): boolean => body.readableEnded || parser.emit('error', new Error('the client went away'));
    // It may have gone before anybody asked for the form.
    if (body.destroyed) gone();
    body.once('close', gone);
    body.pipe(parser);
    await parsed;
    const { file } = parts;
    if (file?.name === '' && file.stream.bytesRead === 0) throw oneFile();
    return { fields: gathered(parts.fields), taken: file && (await file.taking) };
  } catch (error) {
    body.unpipe(parser);
    throw await undo(parts.file, taker, error);
  }
}

function parserFor(headers: FormBody['headers'], fileSize: number): BusboyInstance {
  const type = headers['content-type'] ?? '';
  try {
    return new Busboy({ headers: { ...headers, 'content-type': type }, limits: { ...limits, fileSize } });
  } catch (cause) {
    throw oneFile(cause);
  }
}

/** Collects the parts; rejects at the first thing that is wrong with the form or its file. */
function listen<T>(parser: BusboyInstance, parts: Parts<T>, taker: FileTaker<T>): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.on('file', (field, stream, fileName: string | undefined) => {
      // For as long as the stream lives: busboy reports a part that was cut short here too.
      stream.on('error', (cause) => reject(cutShort(cause)));
      stream.on('limit', () => reject(tooLarge(stream.bytesRead)));
      if (field !== 'file' || parts.file) return reject(oneFile());
      const taking = taker.take(fileName ?? '', stream);
      taking.catch(reject);
      parts.file = { name: fileName ?? '', stream, taking };
    });
    parser.on('field', (name, value, _nameIsCut, valueIsCut) => {
      if (valueIsCut) reject(new AppError('bad_request', `The field ${name} is too long`));
      parts.fields.push([name, value]);
    });
    parser.on('fieldsLimit', () => reject(new AppError('bad_request', 'The form has too many fields')));
    parser.on('partsLimit', () => reject(new AppError('bad_request', 'The form has too many parts')));
    parser.on('error', (cause) => reject(cutShort(cause)));
    parser.on('finish', resolve);
  });
}

/**
 * Ends the taking of a file of a refused form, and waits until nothing of it is left. Returns the reason
 * of the refusal: a store that takes no more lets go of the form, which then looks damaged.
 */
async function undo<T>(file: Parts<T>['file'], taker: FileTaker<T>, reason: unknown): Promise<unknown> {
  if (!file) return reason;
  file.stream.destroy(reason instanceof Error ? reason : undefined);
  try {
    await taker.discard(await file.taking);
    return reason;
  } catch (failure) {
    return failure instanceof AppError ? failure : reason;
  }
}

/** The first 64 KiB; the rest is read and dropped. */
async function headOf(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    if (bytes < headBytes) chunks.push(chunk);
    bytes += chunk.length;
  }
  return new Uint8Array(Buffer.concat(chunks).subarray(0, headBytes));
}

function oneFile(cause?: unknown): AppError {
  return new AppError('one_file', 'Send exactly one file, as the part “file” of multipart/form-data', { cause });
}

function cutShort(cause: unknown): AppError {
  return new AppError('bad_request', 'The form ended before it was complete, or is damaged', { cause });
}

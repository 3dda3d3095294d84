import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { create, extract } from 'tar';
import { z } from 'zod';
import { isMissing, storeError } from './s3-errors.ts';
import { partBytesFor, upload } from './s3-upload.ts';

/** A link outlives the minutes in which a machine comes, and an order that is not renewed at once. */
const linkSeconds = 1800;
/** The order is written anew so often; whoever carries it out ends when that stops for so long. */
export const renewSeconds = 60;
const lapseSeconds = 600;
const partBytes = partBytesFor(0);

/** What came of a run, as containers/tools/entry tells it. */
const Result = z.object({
  end: z.enum(['exit', 'time', 'output', 'input', 'start']),
  exit_code: z.number().int().nullable(),
  log: z.string(),
  message: z.string(),
});
export type EngineResult = z.output<typeof Result>;

/** What a run is, but for its links (containers/tools/entry/order.go). */
export interface EngineOrder {
  readonly folder: string;
  readonly args: readonly string[];
  /** Null for the folder that the image begins in. */
  readonly startsIn: string | null;
  readonly output: string;
  readonly printsTo: string | null;
  readonly seconds: number;
  readonly maxOutputBytes: number;
  readonly maxLogBytes: number;
}

interface Left {
  readonly name: string;
  readonly path: string;
  readonly isArchive: boolean;
}

/** Where a worker leaves what one run of an engine reads, and finds what it put out: objects, reached by links. */
export class EngineExchange {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #left: Left[] = [];
  #bytes = 0;

  constructor(client: S3Client, bucket: string, id: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = `runs/${id}/`;
  }

  /**
   * Leaves a file, or a folder as an archive.
   * @param path - where the engine is to see it
   */
  async leave(source: string, path: string): Promise<void> {
    const name = `input-${this.#left.length}`;
    const isArchive = (await stat(source)).isDirectory();
    const content = isArchive
      ? // What a link leads to is a file of the folder, too.
        create({ cwd: source, portable: true, follow: true }, ['.'])
      : createReadStream(source);
    this.#bytes += await upload(this.#client, this.#object(name), content as AsyncIterable<Buffer>, partBytes);
    this.#left.push({ name, path, isArchive });
  }

  /** Writes the order with links that are new; tells the link to it. */
  async order(order: EngineOrder): Promise<string> {
    const again = await this.#linkTo('order');
    const files = this.#left.map(async ({ name, path, isArchive }) => ({
      link: await this.#linkTo(name),
      path,
      is_archive: isArchive,
    }));
    const told = {
      folder: order.folder,
      files: await Promise.all(files),
      args: order.args,
      starts_in: order.startsIn ?? '',
      output: order.output,
      prints_to: order.printsTo ?? '',
      seconds: order.seconds,
      max_input_bytes: this.#bytes,
      max_output_bytes: order.maxOutputBytes,
      max_log_bytes: order.maxLogBytes,
      to_output: await this.#linkFor('output'),
      to_result: await this.#linkFor('result'),
      again,
      again_seconds: renewSeconds,
      lapse_seconds: lapseSeconds,
    };
    await this.#client
      .send(new PutObjectCommand({ ...this.#object('order'), Body: JSON.stringify(told) }))
      .catch(thrown);
    return again;
  }

  /** Null where there is none. */
  async result(): Promise<EngineResult | null> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#object('result')));
      return Result.parse(JSON.parse(await text(Body as Readable)));
    } catch (error) {
      if (isMissing(error)) return null;
      throw storeError(error);
    }
  }

  /** Brings what was put out to a folder: its files, as far as they are no more than `most` bytes. */
  async fetchOutput(folder: string, most: number, signal: AbortSignal): Promise<void> {
    const { Body } = await this.#client
      .send(new GetObjectCommand(this.#object('output')), { abortSignal: signal })
      .catch(thrown);
    let bytes = 0;
    const into = extract({
      cwd: folder,
      strict: true,
      preserveOwner: false,
      filter: (_, entry) => {
        bytes += entry.size ?? 0;
        if (bytes > most) throw new Error(`an engine has put out more than ${most} bytes`);
        return 'type' in entry && entry.type === 'File';
      },
    });
    await new Promise<void>((resolve, reject) => {
      const from = Body as Readable;
      for (const stream of [from, into]) stream.on('error', reject);
      into.on('close', () => resolve());
      from.pipe(into);
    });
  }

  /** Takes all of it away. */
  async remove(): Promise<void> {
    const names = [...this.#left.map(({ name }) => name), 'order', 'output', 'result'];
    await Promise.all(names.map((name) => this.#client.send(new DeleteObjectCommand(this.#object(name)))));
  }

  #linkTo(name: string): Promise<string> {
    return getSignedUrl(this.#client, new GetObjectCommand(this.#object(name)), { expiresIn: linkSeconds });
  }

  #linkFor(name: string): Promise<string> {
    return getSignedUrl(this.#client, new PutObjectCommand(this.#object(name)), { expiresIn: linkSeconds });
  }

  #object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + name };
  }
}

function thrown(error: unknown): never {
  throw storeError(error);
}

import { BackupManifest } from '@svc/contracts/backup.ts';
import { AppError } from '@svc/domain';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** A file as the manifest knows it. */
export interface Part {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Only its owner may read a backup: it has all that the service knows. */
const [folderMode, fileMode] = [0o700, 0o600];
const manifestName = 'manifest.json';
/** In a backup that is not whole yet. */
const unfinished = 'unfinished';
/** Characters of lines that are handed on together. */
const pieceCharacters = 2_097_152;

/** The files of a backup. */
export class BackupFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Makes it, or goes on with one that was broken off; refuses a folder that has anything else. */
  async begin(): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: folderMode });
    const names = await readdir(this.#path);
    if (names.includes(unfinished)) return;
    if (names.includes(manifestName)) throw refused(`${this.#path} has a backup already; name a folder of its own`);
    if (names.length > 0) throw refused(`${this.#path} has other files in it; name a folder of its own`);
    await writeFile(join(this.#path, unfinished), '', { mode: fileMode });
  }

  /** Says that it is whole. */
  async end(manifest: BackupManifest): Promise<void> {
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    const path = join(this.#path, manifestName);
    await writeFile(`${path}.new`, text, { mode: fileMode, flush: true });
    await rename(`${path}.new`, path);
    await rm(join(this.#path, unfinished));
  }

  async manifest(): Promise<BackupManifest> {
    const path = join(this.#path, manifestName);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) {
      const names = await readdir(this.#path).catch((): string[] => []);
      const why = names.includes(unfinished) ? 'this backup was broken off; make it again' : 'there is no backup';
      throw refused(`${path} is not there: ${why}`);
    }
    try {
      return BackupManifest.parse(JSON.parse(text));
    } catch (error) {
      throw refused(`${path} is damaged, or of a later version of the service`, error);
    }
  }

  /** Writes lines, in pieces as they come. */
  async writeLines(file: string, pieces: AsyncIterable<readonly string[]>): Promise<Part & { lines: number }> {
    let lines = 0;
    async function* texts(): AsyncGenerator<string> {
      for await (const piece of pieces) {
        lines += piece.length;
        if (piece.length > 0) yield `${piece.join('\n')}\n`;
      }
    }
    const path = join(this.#path, file);
    await mkdir(dirname(path), { recursive: true, mode: folderMode });
    const meter = measured();
    await pipeline(
      Readable.from(texts(), { objectMode: true, highWaterMark: 1 }),
      createGzip({ level: 1 }),
      meter.stream,
      createWriteStream(path, { mode: fileMode, flush: true }),
    );
    return { file, lines, ...meter.taken() };
  }

  /** The lines of a part, some together. */
  async *readLines(file: string): AsyncGenerator<string[]> {
    const source = createReadStream(join(this.#path, file));
    const unpacked = createGunzip();
    // What goes wrong is told by whoever reads it.
    const reading = pipeline(source, unpacked).catch((error: unknown) => unpacked.destroy(error as Error));
    let [piece, characters]: [string[], number] = [[], 0];
    try {
      for await (const line of createInterface({ input: unpacked, crlfDelay: Infinity })) {
        piece.push(line);
        characters += line.length;
        if (characters < pieceCharacters) continue;
        yield piece;
        [piece, characters] = [[], 0];
      }
      if (piece.length > 0) yield piece;
    } finally {
      source.destroy();
      unpacked.destroy();
      await reading;
    }
  }

  /** Size and digest of a file that is there; null when it is not. */
  async measure(file: string): Promise<Omit<Part, 'file'> | null> {
    const meter = measured();
    try {
      await pipeline(createReadStream(join(this.#path, file)), meter.stream.resume());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    return meter.taken();
  }

  async has(file: string): Promise<boolean> {
    return stat(join(this.#path, file)).then(
      () => true,
      () => false,
    );
  }

  /** Writes a file whole or not at all. */
  async write(file: string, content: AsyncIterable<Uint8Array>): Promise<Omit<Part, 'file'>> {
    const path = join(this.#path, file);
    await mkdir(dirname(path), { recursive: true, mode: folderMode });
    const meter = measured();
    try {
      await pipeline(content, meter.stream, createWriteStream(`${path}.new`, { mode: fileMode }));
    } catch (error) {
      await rm(`${path}.new`, { force: true });
      throw error;
    }
    await rename(`${path}.new`, path);
    return meter.taken();
  }

  read(file: string): AsyncIterable<Uint8Array> {
    return createReadStream(join(this.#path, file), { highWaterMark: 1_048_576 });
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.#path, file), { recursive: true, force: true });
  }

  /** Names in a folder of it. */
  names(folder: string): Promise<string[]> {
    return readdir(join(this.#path, folder)).catch(() => []);
  }
}

/** Where an object lies in a backup; in many folders, as few systems like a million files in one. */
export function placeOf(key: string): string {
  const name = posix.basename(key);
  return posix.join('objects', posix.dirname(key), name.slice(0, 2), name);
}

/** Counts and digests what goes through. */
function measured(): { stream: Transform; taken: () => Omit<Part, 'file'> } {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, taken: () => ({ bytes, sha256: hash.digest('hex') }) };
}

function refused(sentence: string, cause?: unknown): AppError {
  return new AppError('bad_request', sentence, { cause });
}

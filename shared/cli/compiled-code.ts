import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const extension = '.code';
/** Of the checksum, as Node.js looks at the beginning of what it is given only. */
const headerBytes = 4;

/**
 * Runs a bundled CommonJS program. What Node.js makes of its text takes a quarter of a short call, so it is
 * kept in a folder and used again by the next call of the same build and Node.js.
 * @param folder its user's own; undefined keeps nothing.
 * @param isWorthKeeping whether this call may keep it, once it has ended, where none is yet.
 */
export function runKeepingCode(path: string, folder: string | undefined, isWorthKeeping: boolean): void {
  const file = folder && join(folder, `${globalThis.svcBuild}-${process.version}-${process.arch}${extension}`);
  const known = file === undefined ? undefined : attempt(() => sound(readFileSync(file)));
  const script = new Script(`(function (require, __filename) {${readFileSync(path, 'latin1')}\n})`, {
    filename: path,
    ...(known && { cachedData: known }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const program = script.runInThisContext() as (require: NodeJS.Require, filename: string) => void;
  program(createRequire(path), path);
  if (file === undefined || !isWorthKeeping || (known !== undefined && script.cachedDataRejected !== true)) return;
  process.on('exit', () => attempt(() => keep(file, script.createCachedData())));
}

/** Puts it in the place of what older builds have left. */
function keep(file: string, code: Uint8Array): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (name.endsWith(extension)) rmSync(join(folder, name), { force: true });
  const checksum = Buffer.alloc(headerBytes);
  checksum.writeUInt32LE(crc32(code));
  const part = join(folder, `${randomUUID()}${extension}`);
  writeFileSync(part, Buffer.concat([checksum, code]), { mode: 0o600 });
  renameSync(part, file);
}

/** The code in a file's bytes; undefined where they are damaged. */
function sound(bytes: Buffer): Buffer | undefined {
  const code = bytes.subarray(headerBytes);
  return bytes.length > headerBytes && bytes.readUInt32LE(0) === crc32(code) ? code : undefined;
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    // The program runs without it.
    return undefined;
  }
}

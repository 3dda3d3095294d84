import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The key that signs sessions: kept in a file that only the service may read, made when missing. */
export function secretKeyIn(path: string): string {
  // Folders above ours are not ours to close.
  if (mkdirSync(dirname(path), { recursive: true }) !== undefined) chmodSync(dirname(path), 0o700);
  if (!existsSync(path)) make(path);
  const key = readFileSync(path, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error(`${path} does not hold 64 hex digits; remove it to get a new key`);
  return key;
}

/** Whole at once: another process that starts now takes the same one, and a start that is broken off leaves none. */
function make(path: string): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, path);
  } catch (error) {
    // A disk without links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

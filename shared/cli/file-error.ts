/** A file that could not be read, written or analysed; the message says why. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this is not permitted',
  EPERM: 'this is not permitted',
  EBUSY: 'another program has it to itself',
  EISDIR: 'it is a folder',
  ENOSPC: 'there is no space left',
};

/** What the file system and the engine refuse, as a sentence; everything else is a bug and stays. */
export function asFileError(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  // By its name: what imports the engine shares it, and in shared pieces it starts more slowly.
  if (error.name === 'UnsupportedLogError') return new FileError(`${file}: ${error.message}`, { cause: error });
  if (!('syscall' in error)) return error;
  const reason = 'code' in error ? reasons[String(error.code)] : undefined;
  return new FileError(`${file}: ${reason ?? error.message}`, { cause: error });
}

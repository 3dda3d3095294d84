import { access } from 'node:fs/promises';

/** Whether a file or folder is there and, with a mode of `fs.constants`, may be used so. */
export async function isThere(path: string, mode?: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

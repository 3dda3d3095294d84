import type { Disk, Machine } from '@svc/application/ports/machine.ts';
import { readFileSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { arch, availableParallelism, platform, release, totalmem } from 'node:os';
import { dirname } from 'node:path';

/** The machine as the operating system tells of it. */
export class HostMachine implements Machine {
  readonly system = { platform: platform(), arch: arch(), name: `${distribution()} (${release()}, ${arch()})` };
  readonly cores = availableParallelism();
  readonly memoryBytes = totalmem();
  readonly #folders: Readonly<Record<string, string>>;

  /** @param folders by what is in them. */
  constructor(folders: Readonly<Record<string, string>>) {
    this.#folders = folders;
  }

  disks(): Promise<readonly Disk[]> {
    return Promise.all(Object.entries(this.#folders).map(([name, path]) => diskOf(name, path)));
  }
}

/** Of a folder that is not there yet, the disk that it would be on. */
async function diskOf(name: string, path: string): Promise<Disk> {
  for (let at = path; ; at = dirname(at)) {
    try {
      const [{ bavail, blocks, bsize }, { uid }] = [await statfs(at), await stat(at)];
      const owner = process.getuid === undefined ? null : uid;
      return { name, path, freeBytes: bavail * bsize, totalBytes: blocks * bsize, isThere: at === path, owner };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(at) === at) throw error;
    }
  }
}

function distribution(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? platform();
  } catch {
    return platform();
  }
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own, in memory, whose size changes at will. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves this much to write; what lies there stays. */
  readonly leave: (bytes: number) => void;
  readonly remove: () => void;
}

/** Why this account or machine has no small disk; null where it has. */
export function whyNoSmallDisk(): string | null {
  try {
    mountSmallDisk().remove();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A small tmpfs; throws where none can be mounted. */
export function mountSmallDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'svc-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder], { encoding: 'utf8' });
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error(`no tmpfs can be mounted: ${mounted.stderr?.trim() || mounted.error?.message}`);
  }
  return {
    folder,
    leave: (bytes) => {
      const { blocks, bfree, bsize } = statfsSync(folder);
      const size = (blocks - bfree) * bsize + bytes;
      const done = spawnSync('mount', ['-o', `remount,size=${size}`, folder], { encoding: 'utf8' });
      if (done.status !== 0) throw new Error(done.stderr);
    },
    remove: () => {
      spawnSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

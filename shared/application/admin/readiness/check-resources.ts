import { bytes, type ReadinessCheck } from '@svc/domain';
import type { Disk } from '../../ports/machine.ts';
import type { Ports } from '../../ports/ports.ts';

const section = 'Resources';
const wantedFreeBytes = 2 * 1024 ** 3;

/** What every version of the service is tested on. */
const tested = ['linux x64', 'linux arm64'];

/** Room on the disks on which something lasts. */
export async function checkDisks({ machine }: Pick<Ports, 'machine'>): Promise<readonly ReadinessCheck[]> {
  return (await machine.disks()).map(diskCheck);
}

function diskCheck({ name, path, freeBytes, totalBytes }: Disk): ReadinessCheck {
  const check = { section, name: `Disk: ${name.toLowerCase()}` } as const;
  const message = `${bytes(freeBytes)} of ${bytes(totalBytes)} are free at ${path}`;
  if (freeBytes >= wantedFreeBytes) return { ...check, level: 'PASS', message, fix: null };
  const fix =
    'Free some, or move it to a larger disk. Uploads are refused when less than 1 GB would stay; JOB_OUTPUT_RETENTION_DAYS and UPLOAD_RETENTION_DAYS remove what is old';
  return { ...check, level: 'WARN', message: `Only ${message}`, fix };
}

export function checkSystem({ machine }: Pick<Ports, 'machine'>): ReadinessCheck {
  const { arch, name, platform } = machine.system;
  const check = { section, name: 'Operating system', message: name } as const;
  if (tested.includes(`${platform} ${arch}`)) return { ...check, level: 'PASS', fix: null };
  const message = `${name}: versions are not tested on it`;
  return { ...check, level: 'WARN', message, fix: `Use ${tested.join(' or ')} for more than trying things out` };
}

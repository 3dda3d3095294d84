import type { ReadinessCheck } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';

const section = 'Configuration';

/** What the start has warned of; what refuses the start is told by `svc doctor`, as nothing else runs then. */
export function checkSafety({ deployment }: Pick<Ports, 'deployment'>): readonly ReadinessCheck[] {
  const check = { section, name: 'Production safety' } as const;
  const { safety, warnings } = deployment;
  const notices = warnings.filter((line) => !safety.some(({ message }) => line.endsWith(message)));
  return [
    ...(safety.length === 0
      ? [{ ...check, level: 'PASS', message: 'No setting is unsafe', fix: null } as const]
      : safety.map(({ message, fix }) => ({ ...check, level: 'WARN', message: capitalised(message), fix }) as const)),
    ...notices.map(
      (line) => ({ section, name: 'Start-up notices', level: 'INFO', message: capitalised(line), fix: null }) as const,
    ),
  ];
}

function capitalised(line: string): string {
  return line.charAt(0).toUpperCase() + line.slice(1);
}

const ofThisMachine = /^(localhost|127(\.\d+){3}|\[?::1\]?|\/.*)?$/;

function isElsewhere(host: string | null): boolean {
  return host !== null && !ofThisMachine.test(host);
}

/** Whether what several machines would share is such that they can; says nothing where one has it all. */
export function checkServers({ deployment }: Pick<Ports, 'deployment'>): readonly ReadinessCheck[] {
  const { stores, workers } = deployment;
  // A server of the database, or a bucket, alone is no sign of several machines.
  const isShared = isElsewhere(stores.database) && (stores.objects === 's3' || workers === 0);
  if (!isShared && !isElsewhere(stores.keyValue)) return [];
  const missing = [
    stores.database === null && ['the database is this machine’s own', 'DATABASE_URL'],
    stores.objects === 'local' && ['uploads are in a folder of this machine', 'STORAGE_BACKEND=s3'],
  ].filter((one) => one !== false);
  const check = { section, name: 'Several servers' } as const;
  if (missing.length > 0) {
    const message = `Other machines are to take part, but ${missing.map(([why]) => why).join(', and ')}`;
    const fix = `Set ${missing.map(([, setting]) => setting).join(' and ')}, the same on every machine`;
    return [{ ...check, level: 'WARN', message, fix }];
  }
  const alone = stores.keyValue === null ? '; a second one that serves needs KV_URL' : '';
  const message = `Database and files are where every machine reaches them${alone}`;
  return [{ ...check, level: 'PASS', message, fix: null }];
}

/** Whether services that are bundled elsewhere are set in vain, or are wanted and do not run. */
export async function checkBundledServices({
  deployment,
  objects,
}: Pick<Ports, 'deployment' | 'objects'>): Promise<readonly ReadinessCheck[]> {
  const { database, ignored, objectsAt } = deployment.stores;
  const check = { section, name: 'Bundled services' } as const;
  const found: ReadinessCheck[] = [];
  if (ignored.includes('DBSRV_PASSWORD')) {
    const used = database === null ? 'the embedded database' : `the one at ${database}`;
    found.push({
      ...check,
      level: 'WARN',
      message: `DBSRV_PASSWORD is set, but the service uses ${used}`,
      fix: 'Name the server in DATABASE_URL, or unset DBSRV_PASSWORD',
    });
  }
  if (objectsAt === null) return found;
  const isThere = await objects.check().then(
    () => true,
    () => false,
  );
  const store = isThere
    ? ({ level: 'PASS', message: `The object store at ${objectsAt} runs`, fix: null } as const)
    : ({
        level: 'FAIL',
        message: `STORAGE_BACKEND=s3 chooses the object store at ${objectsAt}, which does not answer as one`,
        fix: 'Start it, and look at S3_ENDPOINT, S3_BUCKET and the keys',
      } as const);
  return [...found, { ...check, ...store }];
}

import { AppError, type ReadinessCheck } from '@svc/domain';
import { randomBytes } from 'node:crypto';
import type { Ports } from '../../ports/ports.ts';

const section = 'Services';

export async function checkDatabase({
  database,
  deployment,
}: Pick<Ports, 'database' | 'deployment'>): Promise<ReadinessCheck> {
  await database.check();
  const { database: host } = deployment.stores;
  const message = host === null ? 'The database of this machine answers' : `The PostgreSQL server at ${host} answers`;
  return { section, name: 'Database', level: 'PASS', message, fix: null };
}

export async function checkKeyValue({
  deployment,
  keyValue,
}: Pick<Ports, 'deployment' | 'keyValue'>): Promise<ReadinessCheck> {
  await keyValue.check();
  const { keyValue: host } = deployment.stores;
  const message =
    host === null ? 'None is set: this process coordinates in its own memory' : `The store at ${host} answers`;
  return { section, name: 'Key-value store', level: 'PASS', message, fix: null };
}

/** Whether a store that is full forgets what processes coordinate by, rather than to say that it is full. */
export async function checkEviction({
  deployment,
  keyValue,
}: Pick<Ports, 'deployment' | 'keyValue'>): Promise<readonly ReadinessCheck[]> {
  if (deployment.stores.keyValue === null) return [];
  const check = { section, name: 'Key-value eviction' } as const;
  // Who is away has said so above.
  const policy = await keyValue.evictionPolicy().catch(() => null);
  if (policy === null) {
    return [{ ...check, level: 'INFO', message: 'The store does not say what it does when it is full', fix: null }];
  }
  if (policy === 'noeviction') return [{ ...check, level: 'PASS', message: 'A full store forgets nothing', fix: null }];
  return [
    {
      ...check,
      level: 'WARN',
      message: `When its memory is full, the store forgets what limits and uploads are counted by (${policy})`,
      fix: 'Run redis-cli CONFIG SET maxmemory-policy noeviction, and set the same in its configuration',
    },
  ];
}

/** Writes, reads and deletes an object in a folder of this machine; of buckets, whether they are there. */
export async function checkStorage({
  deployment,
  objects,
}: Pick<Ports, 'deployment' | 'objects'>): Promise<ReadinessCheck> {
  const check = { section, name: 'Storage', level: 'PASS', fix: null } as const;
  await objects.check();
  if (deployment.stores.objects === 's3') return { ...check, message: 'The buckets answer' };
  await probe(objects);
  return { ...check, message: 'Files are written, read and deleted' };
}

async function probe(objects: Ports['objects']): Promise<void> {
  const bytes = randomBytes(4096);
  const { key } = await objects.create('.probe', content(bytes));
  try {
    const reader = await objects.open(key);
    try {
      const found = new Uint8Array(bytes.length);
      const many = await reader.read(0, found);
      if (many === bytes.length && bytes.equals(found)) return;
      throw new AppError('internal', 'A file that was written is read as another');
    } finally {
      await reader.close();
    }
  } finally {
    await objects.delete(key);
  }
}

async function* content(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const states = {
  at_head: { level: 'PASS', message: 'All migrations of this version are applied', fix: null },
  fresh: {
    level: 'INFO',
    message: 'There is no database yet',
    fix: 'The first start makes it',
  },
  later: {
    level: 'WARN',
    message: 'A later version of the service has changed the schema',
    fix: 'Start that version, or restore the backup from before it',
  },
  unmanaged: {
    level: 'WARN',
    message: 'The database has tables that no migration of the service has made',
    fix: 'Name an empty database in DATABASE_URL, or restore the table drizzle.__drizzle_migrations from a backup',
  },
} as const;

export async function checkMigrations({ database }: Pick<Ports, 'database'>): Promise<ReadinessCheck> {
  const check = { section: 'Database schema', name: 'Migrations' } as const;
  const { state, pending } = await database.schema();
  if (state !== 'pending') return { ...check, ...states[state] };
  const many = pending === 1 ? '1 migration is' : `${pending} migrations are`;
  return {
    ...check,
    level: 'FAIL',
    message: `${many} not applied`,
    fix: 'Run npm run migrate, then start the service',
  };
}

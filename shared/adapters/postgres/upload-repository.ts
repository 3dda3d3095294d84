import type { UploadRepository, UploadSlot, UploadUse } from '@svc/application/ports/upload-repository.ts';
import { AppError } from '@svc/domain';
import { and, eq, isNull, lt, not, type SQL } from 'drizzle-orm';
import type { Database } from './database.ts';
import { uploadSlots } from './schema/index.ts';

export class PgUploadRepository implements UploadRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create(slot: Omit<UploadSlot, 'outcome'>): Promise<void> {
    await this.#db.insert(uploadSlots).values(slot);
  }

  async find(id: string): Promise<UploadSlot | null> {
    const [row] = await this.#db.select().from(uploadSlots).where(eq(uploadSlots.id, id));
    if (!row) return null;
    const { used: _used, fingerprint, jobId, reused, ...slot } = row;
    return { ...slot, outcome: fingerprint === null ? null : { jobId, fingerprint, reused } };
  }

  async renew(id: string, until: Date, storageKey?: string): Promise<boolean> {
    const set = { expiresAt: until, ...(storageKey !== undefined && { storageKey }) };
    const rows = await this.#db
      .update(uploadSlots)
      .set(set)
      .where(unused(id, ...(storageKey === undefined ? [] : [isNull(uploadSlots.storageKey)])))
      .returning({ id: uploadSlots.id });
    return rows.length > 0;
  }

  use(use: UploadUse & { readonly jobId: number; readonly reused: boolean }): Promise<void> {
    return useUpload(this.#db, use);
  }

  async retireExpired(at: Date): Promise<readonly Pick<UploadSlot, 'id' | 'storageKey'>[]> {
    return this.#db
      .update(uploadSlots)
      .set({ used: true })
      .where(lt(uploadSlots.expiresAt, at))
      .returning({ id: uploadSlots.id, storageKey: uploadSlots.storageKey });
  }

  async remove(id: string): Promise<void> {
    await this.#db.delete(uploadSlots).where(eq(uploadSlots.id, id));
  }
}

function unused(id: string, ...more: SQL[]): SQL | undefined {
  return and(eq(uploadSlots.id, id), not(uploadSlots.used), ...more);
}

/** Within whatever transaction is given; throws `conflict` when the upload was used before, or is gone. */
export async function useUpload(
  db: Database,
  { id, fingerprint, until, jobId, reused }: UploadUse & { readonly jobId: number; readonly reused: boolean },
): Promise<void> {
  const rows = await db
    .update(uploadSlots)
    .set({ used: true, fingerprint, jobId, reused, expiresAt: until })
    .where(unused(id))
    .returning({ id: uploadSlots.id });
  if (rows.length === 0) throw new AppError('conflict', 'This upload was submitted already');
}

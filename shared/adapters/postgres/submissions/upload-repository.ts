import type {
  UploadQuota,
  UploadRepository,
  UploadSlot,
  UploadUse,
} from '@svc/application/submissions/upload-repository.ts';
import { AppError } from '@svc/domain';
import { and, eq, gt, isNull, lt, not, sql, sum, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { uploadSlots } from '../schema/index.ts';

/** First key of the advisory locks that owners of slots reserve under; any number that nobody else would take. */
const reservingLock = 734_618_951;

export class PgUploadRepository implements UploadRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create(slot: Omit<UploadSlot, 'outcome'>, { owner, maxBytes }: UploadQuota): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // One at a time for an owner, or two would both find room for the last.
      await tx.execute(sql`select pg_advisory_xact_lock(${reservingLock}, hashtext(${owner}))`);
      if (maxBytes > 0) {
        const open = await openBytes(tx, owner, slot.createdAt);
        if (open > 0 && open + slot.sizeBytes > maxBytes) return false;
      }
      await tx.insert(uploadSlots).values({ ...slot, owner });
      return true;
    });
  }

  async find(id: string): Promise<UploadSlot | null> {
    const [row] = await this.#db.select().from(uploadSlots).where(eq(uploadSlots.id, id));
    const isRetired = row?.used === true && row.fingerprint === null;
    if (!row || isRetired) return null;
    const { used: _used, owner: _owner, fingerprint, jobId, reused, ...slot } = row;
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

  async use({
    id,
    fingerprint,
    until,
    jobId,
    reused,
  }: UploadUse & { readonly jobId: number; readonly reused: boolean }): Promise<void> {
    const rows = await this.#db
      .update(uploadSlots)
      .set({ used: true, fingerprint, jobId, reused, expiresAt: until })
      .where(unused(id))
      .returning({ id: uploadSlots.id });
    if (rows.length === 0) throw new AppError('conflict', 'This upload was submitted already');
  }

  async retireExpired(at: Date): Promise<readonly Pick<UploadSlot, 'id' | 'storageKey' | 'createdAt'>[]> {
    return this.#db
      .update(uploadSlots)
      .set({ used: true })
      .where(lt(uploadSlots.expiresAt, at))
      .returning({ id: uploadSlots.id, storageKey: uploadSlots.storageKey, createdAt: uploadSlots.createdAt });
  }

  async recall(id: string, at: Date): Promise<void> {
    await this.#db.update(uploadSlots).set({ expiresAt: at }).where(eq(uploadSlots.id, id));
  }

  async remove(id: string): Promise<void> {
    await this.#db.delete(uploadSlots).where(eq(uploadSlots.id, id));
  }
}

/** Of the owner's slots that are neither used nor expired. */
async function openBytes(db: Database, owner: string, at: Date): Promise<number> {
  const isOpen = and(eq(uploadSlots.owner, owner), not(uploadSlots.used), gt(uploadSlots.expiresAt, at));
  const [row] = await db
    .select({ bytes: sum(uploadSlots.sizeBytes) })
    .from(uploadSlots)
    .where(isOpen);
  return Number(row?.bytes ?? 0);
}

function unused(id: string, ...more: SQL[]): SQL | undefined {
  return and(eq(uploadSlots.id, id), not(uploadSlots.used), ...more);
}

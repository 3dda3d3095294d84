import type { NewReceipt, Receipt, ReceiptRepository } from '@svc/application/ports/receipt-repository.ts';
import { AppError } from '@svc/domain';
import { and, eq } from 'drizzle-orm';
import type { Database } from './database.ts';
import { submissionReceipts } from './schema/index.ts';

export class PgReceiptRepository implements ReceiptRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(userId: string, key: string): Promise<Receipt | null> {
    const { fingerprint, jobId, reused } = submissionReceipts;
    const [row] = await this.#db
      .select({ fingerprint, jobId, reused })
      .from(submissionReceipts)
      .where(
        and(eq(submissionReceipts.userId, userId), eq(submissionReceipts.kind, 'job'), eq(submissionReceipts.key, key)),
      );
    return row ? { userId, key, ...row } : null;
  }

  create(receipt: NewReceipt & { readonly jobId: number }): Promise<void> {
    return insertReceipt(this.#db, { ...receipt, reused: true });
  }
}

/** Within whatever transaction is given; throws `conflict` when the key is taken, and leaves it usable. */
export async function insertReceipt(db: Database, receipt: Receipt): Promise<void> {
  const inserted = await db
    .insert(submissionReceipts)
    .values({ ...receipt, kind: 'job' })
    .onConflictDoNothing()
    .returning({ id: submissionReceipts.id });
  if (inserted.length === 0) throw new AppError('conflict', 'A submission with this Idempotency-Key is there already');
}

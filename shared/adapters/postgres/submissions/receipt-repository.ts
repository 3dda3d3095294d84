import type { Receipt, ReceiptKind, ReceiptRepository } from '@svc/application/submissions/receipt-repository.ts';
import { AppError } from '@svc/domain';
import { and, eq } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { submissionReceipts } from '../schema/index.ts';

export class PgReceiptRepository implements ReceiptRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(userId: string, kind: ReceiptKind, key: string): Promise<Receipt | null> {
    const { fingerprint, jobId, caseId, reused } = submissionReceipts;
    const [row] = await this.#db
      .select({ fingerprint, jobId, caseId, reused })
      .from(submissionReceipts)
      .where(
        and(eq(submissionReceipts.userId, userId), eq(submissionReceipts.kind, kind), eq(submissionReceipts.key, key)),
      );
    return row ? { userId, key, ...row } : null;
  }

  async add(kind: ReceiptKind, receipt: Receipt): Promise<void> {
    const inserted = await this.#db
      .insert(submissionReceipts)
      .values({ ...receipt, kind })
      .onConflictDoNothing()
      .returning({ id: submissionReceipts.id });
    if (inserted.length === 0) throw new AppError('conflict', 'This Idempotency-Key is in use already');
  }
}

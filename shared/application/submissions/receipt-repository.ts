/** What keys are for: one may be used once for each. */
export type ReceiptKind = 'job' | 'case';

/** A submission as its key remembers it (resolved-platform 10.2). */
export interface NewReceipt {
  readonly userId: string;
  readonly key: string;
  /** Of content and options: the same key with another one is refused. */
  readonly fingerprint: string;
}

export interface Receipt extends NewReceipt {
  /** Null when the job was deleted, and for cases. */
  readonly jobId: number | null;
  /** The case created, or the one that the job was put in; null when it was deleted. */
  readonly caseId: number | null;
  /** Whether the job was there before. */
  readonly reused: boolean;
}

/** Receipts are committed together with what they are about. */
export interface ReceiptRepository {
  /** Throws `conflict` when the key is taken. */
  add(kind: ReceiptKind, receipt: Receipt): Promise<void>;
  find(userId: string, kind: ReceiptKind, key: string): Promise<Receipt | null>;
}

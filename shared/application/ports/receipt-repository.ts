/** A submission as its key remembers it (resolved-platform 10.2). */
export interface NewReceipt {
  readonly userId: string;
  readonly key: string;
  /** Of content and options: the same key with another one is refused. */
  readonly fingerprint: string;
}

export interface Receipt extends NewReceipt {
  /** Null when the job was deleted. */
  readonly jobId: number | null;
  /** Whether the job was there before. */
  readonly reused: boolean;
}

export interface ReceiptRepository {
  find(userId: string, key: string): Promise<Receipt | null>;
  /** For a job that was there before; throws `conflict` when the key is taken. */
  create(receipt: NewReceipt & { readonly jobId: number }): Promise<void>;
}

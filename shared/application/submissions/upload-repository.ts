/** What a submitted upload has led to, for those who ask again. */
export interface UploadOutcome {
  /** Null when the job was deleted. */
  readonly jobId: number | null;
  /** Of content and options: the upload answers no other submission. */
  readonly fingerprint: string;
  /** Whether the job was there before. */
  readonly reused: boolean;
}

/** A reserved upload. */
export interface UploadSlot {
  /** 32 hex digits that nobody can guess. */
  readonly id: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Whose it is; null of a visitor, where knowing the id is enough. */
  readonly userId: string | null;
  readonly ip: string;
  /** The object with its bytes: known from the start, or once they have arrived. */
  readonly storageKey: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Null until it is submitted. */
  readonly outcome: UploadOutcome | null;
}

/** How an upload is submitted; commits together with its job. */
export interface UploadUse {
  readonly id: string;
  readonly fingerprint: string;
  /** Until when its outcome is remembered. */
  readonly until: Date;
}

/** Whose quota an open slot counts against, and the bytes that all of theirs may have; 0 for no limit. */
export interface UploadQuota {
  readonly owner: string;
  readonly maxBytes: number;
}

/** Reserved uploads, from the reservation to the end of what is remembered of them. */
export interface UploadRepository {
  /**
   * False, and nothing is reserved, when the owner's slots that are neither used nor expired would exceed the
   * quota with it. A slot alone is never too large.
   */
  create(slot: Omit<UploadSlot, 'outcome'>, quota: UploadQuota): Promise<boolean>;
  find(id: string): Promise<UploadSlot | null>;
  /**
   * Lets an unused slot live on; with `storageKey` when its bytes have arrived. False when it is used
   * or gone, or has got its bytes already.
   */
  renew(id: string, until: Date, storageKey?: string): Promise<boolean>;
  /** Ties the slot to the job that it has led to; throws `conflict` when it was used before. */
  use(use: UploadUse & { readonly jobId: number; readonly reused: boolean }): Promise<void>;
  /** Retires all expired slots, so that they cannot be used any more, and returns them. */
  retireExpired(at: Date): Promise<readonly Pick<UploadSlot, 'id' | 'storageKey' | 'createdAt'>[]>;
  /** Makes `retireExpired` return a retired slot again after this time. */
  recall(id: string, at: Date): Promise<void>;
  remove(id: string): Promise<void>;
}

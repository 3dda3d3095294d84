/** The one file that a client may send, by its exact length and digest. */
export interface SignedUpload {
  readonly uploadId: string;
  readonly sizeBytes: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
}

/** Where a client sends a file, and the headers that it must send with it. */
export interface UploadTarget {
  /** The object that will hold the bytes; null where it gets its key when they arrive. */
  readonly key: string | null;
  /** Absolute, or a path of this service, from `/`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Until when the sending must have begun; before `expiresAt` where the store does not tell of one under way. */
  readonly beginBy: Date;
}

/** What a store says of the bytes that it hands out. */
export type AnswerHeaders = Readonly<
  Partial<Record<'content-type' | 'content-disposition' | 'content-encoding' | 'cache-control', string>>
>;

/** Addresses to which clients send files by themselves, signed so that no other bytes are taken. */
export interface UploadTargets {
  /** `suffix` ends the key of the object, where the target names one. */
  presignPut(upload: SignedUpload & { readonly suffix: string; readonly expiresAt: Date }): Promise<UploadTarget>;
  /**
   * An address of the store itself under which an object can be fetched, with these headers; null where clients do
   * not reach the store.
   */
  presignGet(download: {
    readonly key: string;
    readonly headers: AnswerHeaders;
    readonly expiresAt: Date;
  }): Promise<string | null>;
  /** What the last segment of an address of this service was signed for; null when it is not genuine or too old. */
  verify(token: string, at: Date): Promise<SignedUpload | null>;
}

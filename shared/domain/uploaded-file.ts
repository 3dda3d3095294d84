import type { LogType } from './log-type.ts';

/** Bytes that were submitted, kept once however many jobs analyse them (resolved-platform 3.1). */
export interface UploadedFile {
  readonly id: number;
  /** Name at the first submission; shown to administrators only. */
  readonly originalName: string;
  /** Key in the object store: 32 hex digits and the suffix of the type. */
  readonly storageKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly detectedType: LogType;
  readonly uploadedAt: Date;
  /** TLSH digest; empty when the content is too small or too uniform for one, null until it was looked for. */
  readonly tlsh: string | null;
}

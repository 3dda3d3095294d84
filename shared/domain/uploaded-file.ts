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

/** Digits of a digest that make the number of a file; JSON keeps numbers of so many bits exactly. */
const numberDigits = 13;

/**
 * The number by which callers know a file. It is made of the digest, not of the row's id, which would tell those
 * who have the same bytes that, and when, somebody else submitted them unseen. It has 52 bits, so that two files of a
 * site do not meet in one, and passes 2,147,483,647, which ids of rows do not: it is compared with what digests begin
 * with, and stands in no integer column.
 */
export function fileNumber(sha256: string): number {
  return Number.parseInt(sha256.slice(0, numberDigits), 16);
}

/** What the digest of the file with this number begins with. */
export function digestBeginning(number: number): string {
  return number.toString(16).padStart(numberDigits, '0');
}

export const highestFileNumber = 16 ** numberDigits - 1;

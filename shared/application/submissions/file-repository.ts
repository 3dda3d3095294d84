import type { Actor, JobStatus, LogType, UploadedFile } from '@svc/domain';

/** A file near another, by the newest of its reports that the viewer may see. */
export interface SimilarFile {
  readonly fileId: number;
  readonly sha256: string;
  readonly distance: number;
  readonly jobId: number;
  readonly fileName: string;
  readonly status: JobStatus;
}

export interface NewFile {
  readonly originalName: string;
  readonly storageKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly detectedType: LogType;
  readonly uploaderIp: string;
}

export interface FileRepository {
  /**
   * The file, or the one that has the same bytes: its detected type is refreshed, its `storageKey` stays. Whoever comes
   * with the same bytes waits until the transaction ends, and then sees what it has made.
   */
  keep(file: NewFile, at: Date): Promise<UploadedFile>;
  /** The same for one that is there; null when it is gone. */
  hold(id: number): Promise<UploadedFile | null>;
  /** Removes a file that is held and that no job is on; the key of its object, null when it stays. */
  removeUnused(id: number): Promise<string | null>;
  get(id: number): Promise<UploadedFile | null>;
  findBySha256(sha256: string): Promise<UploadedFile | null>;
  /** The file whose digest begins so, if the viewer may see a job on it. */
  findSeen(viewer: Actor, beginning: string): Promise<UploadedFile | null>;
  /** When a file was submitted first, as far as the viewer may see its jobs; null when they see none. */
  firstSeen(viewer: Actor, id: number): Promise<Date | null>;
  /** Whether the object under this key is a file's. */
  isStoredAt(storageKey: string): Promise<boolean>;
  /**
   * Jobs of files that were neither uploaded nor submitted since then and on which no job is live; of so many
   * files at most.
   */
  jobsIdleSince(since: Date, files: number): Promise<readonly number[]>;
  /** Points the row at the same bytes under another key. */
  moveTo(id: number, storageKey: string): Promise<void>;
  /** Files uploaded before a time for which no digest was looked for, newest first, from the one under this number on. */
  withoutDigest(
    before: Date,
    page: { readonly under: number | null; readonly limit: number },
  ): Promise<readonly UploadedFile[]>;
  /** Keeps a file's TLSH digest, null when its content has none. */
  setDigest(id: number, tlsh: string | null): Promise<void>;
  /** Other files at most so far from a file's digest, nearest first; those without a report that the viewer may see are left out. */
  similar(
    viewer: Actor,
    file: { readonly id: number; readonly tlsh: string },
    bounds: { readonly threshold: number; readonly limit: number },
  ): Promise<readonly SimilarFile[]>;
}

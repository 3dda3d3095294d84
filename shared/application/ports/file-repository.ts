import type { UploadedFile } from '@svc/domain';

export interface FileRepository {
  get(id: number): Promise<UploadedFile | null>;
  findBySha256(sha256: string): Promise<UploadedFile | null>;
  /** Whether the object under this key is a file's. */
  isStoredAt(storageKey: string): Promise<boolean>;
  /** Points the row at the same bytes under another key. */
  moveTo(id: number, storageKey: string): Promise<void>;
}

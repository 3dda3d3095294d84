import type { FileRepository } from '@svc/application/ports/file-repository.ts';
import type { UploadedFile } from '@svc/domain';
import { eq } from 'drizzle-orm';
import type { Database } from './database.ts';
import { toFile } from './rows.ts';
import { uploadedFiles } from './schema/index.ts';

export class PgFileRepository implements FileRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async get(id: number): Promise<UploadedFile | null> {
    const [row] = await this.#db.select().from(uploadedFiles).where(eq(uploadedFiles.id, id));
    return row ? toFile(row) : null;
  }

  async findBySha256(sha256: string): Promise<UploadedFile | null> {
    const [row] = await this.#db.select().from(uploadedFiles).where(eq(uploadedFiles.sha256, sha256));
    return row ? toFile(row) : null;
  }

  async isStoredAt(storageKey: string): Promise<boolean> {
    const { id } = uploadedFiles;
    const rows = await this.#db.select({ id }).from(uploadedFiles).where(eq(uploadedFiles.storageKey, storageKey));
    return rows.length > 0;
  }

  async moveTo(id: number, storageKey: string): Promise<void> {
    await this.#db.update(uploadedFiles).set({ storageKey }).where(eq(uploadedFiles.id, id));
  }
}

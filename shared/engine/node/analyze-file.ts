import { analyze, type AnalyzeOptions } from '../analyze.ts';
import type { Analysis } from '../findings.ts';
import { fileSource } from './file-source.ts';

export interface AnalyzeFileOptions extends AnalyzeOptions {
  /** Threads that a large file is read with. @default one per core */
  readonly threads?: number;
}

/** `analyze` for a file; rejects as that does, and with the file system's error. */
export async function analyzeFile(path: string, options: AnalyzeFileOptions): Promise<Analysis> {
  const source = await fileSource(path);
  try {
    return await analyze(source, options);
  } finally {
    await source.close();
  }
}

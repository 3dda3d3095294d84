import { type Placeholders, readPlaceholders } from '@svc/engine';
import { readFile } from 'node:fs/promises';

/** Values of the placeholders in rules, and their text; none without a file. Rejects with a sentence. */
export async function readPlaceholdersFile(
  file: string | undefined,
): Promise<{ readonly text: string; readonly placeholders: Placeholders }> {
  if (file === undefined) return { text: '', placeholders: new Map() };
  try {
    const text = await readFile(file, 'utf8');
    return { text, placeholders: readPlaceholders(text) };
  } catch (error) {
    throw new Error(`The placeholders in ${file} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

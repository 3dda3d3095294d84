import type { RuleFile } from './load-rules.ts';
import { isMapping } from './mapping.ts';
import { readDocuments } from './yaml-documents.ts';

/** What is to become of one rule among some files. */
export interface RuleRevision {
  /** Id of the rule that is there; null to add one. */
  readonly id: string | null;
  /** Null to remove it. May be several documents: a correlation with the rules that it counts. */
  readonly text: string | null;
}

export interface RevisedRules {
  readonly files: readonly RuleFile[];
  /** Id of the first document of the text, and the file that it is in; null where a rule was removed. */
  readonly saved: { readonly id: string; readonly path: string } | null;
}

/**
 * The files with one rule added, replaced or removed; documents without an id get one, as nothing could be
 * decided about them otherwise. Null when there is no such rule; throws a sentence where the text is no rule or
 * its id is taken.
 */
export function reviseRules(files: readonly RuleFile[], { id, text }: RuleRevision): RevisedRules | null {
  const added = text === null ? [] : documentsOf(text).map(withId);
  const first = added[0];
  if (text !== null && first === undefined) throw new Error('There is no rule in the text');
  const place = id === null ? null : placeOf(files, id);
  if (place === undefined) return null;
  const kept = place === null ? [...files] : files.flatMap((file) => (file === place ? without(file, id!) : file));
  const taken = new Set(kept.flatMap((file) => readable(file).map(idOf)));
  for (const own of added.map(idOf)) {
    if (taken.has(own))
      throw new Error(`There is another rule with the id ${own}; change that one, or give this another id`);
    taken.add(own);
  }
  if (first === undefined) return { files: kept, saved: null };
  const saved = { id: idOf(first)!, path: place?.path ?? `rules/${idOf(first)}.yml` };
  const others = kept.filter(({ path }) => path === saved.path).map((file) => file.text);
  const whole = { path: saved.path, text: [...others, ...added].join('\n---\n') };
  return { files: [...kept.filter(({ path }) => path !== saved.path), whole], saved };
}

function placeOf(files: readonly RuleFile[], id: string): RuleFile | undefined {
  return files.find((file) => readable(file).some((one) => idOf(one) === id.toLowerCase()));
}

function without(file: RuleFile, id: string): RuleFile[] {
  const left = readable(file).filter((one) => idOf(one) !== id.toLowerCase());
  return left.length === 0 ? [] : [{ path: file.path, text: left.join('\n---\n') }];
}

/** The documents of a file that is there; none where one of them cannot be read, so that it stays as it is. */
function readable({ text }: RuleFile): string[] {
  try {
    return documentsOf(text);
  } catch {
    return [];
  }
}

function documentsOf(text: string): string[] {
  return readDocuments(text).map((document) => {
    if ('message' in document) throw new Error(`Line ${document.line}: ${document.message}`);
    return document.source.trim();
  });
}

function idOf(source: string): string | null {
  const [document] = readDocuments(source);
  const value = document !== undefined && 'value' in document ? document.value : undefined;
  return isMapping(value) && typeof value.id === 'string' && value.id !== '' ? value.id.toLowerCase() : null;
}

function withId(source: string): string {
  if (idOf(source) !== null) return source;
  const line = `id: ${crypto.randomUUID()}`;
  return /^title:.*$/m.test(source)
    ? source.replace(/^title:.*$/m, (title) => `${title}\n${line}`)
    : `${line}\n${source}`;
}

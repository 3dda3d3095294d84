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
  const revised = id?.toLowerCase() ?? null;
  const present = files.map((file) => ({ file, documents: readable(file) }));
  const place = revised === null ? null : present.find(({ documents }) => documents.some((one) => one.id === revised));
  if (place === undefined) return null;
  const left = place?.documents.filter((one) => one.id !== revised) ?? [];
  const others = present.filter((one) => one !== place);
  const taken = new Set([...left, ...others.flatMap(({ documents }) => documents)].map((one) => one.id));
  for (const own of added) {
    if (taken.has(own.id))
      throw new Error(`There is another rule with the id ${own.id}; change that one, or give this another id`);
    taken.add(own.id);
  }
  const rest = place && left.length > 0 ? [{ path: place.file.path, text: textOf(left) }] : [];
  const kept = present.flatMap((one) => (one === place ? rest : [one.file]));
  if (first === undefined) return { files: kept, saved: null };
  const saved = { id: first.id, path: place?.file.path ?? `rules/${first.id}.yml` };
  const before = kept.filter(({ path }) => path === saved.path).map((file) => file.text);
  const whole = { path: saved.path, text: [...before, textOf(added)].join(separator) };
  return { files: [...kept.filter(({ path }) => path !== saved.path), whole], saved };
}

interface RuleDocument {
  /** In lower case, as ids are compared. */
  readonly id: string | null;
  readonly source: string;
}

const separator = '\n---\n';

function textOf(documents: readonly RuleDocument[]): string {
  return documents.map(({ source }) => source).join(separator);
}

/** The documents of a file that is there; none where one of them cannot be read, so that it stays as it is. */
function readable({ text }: RuleFile): RuleDocument[] {
  try {
    return documentsOf(text);
  } catch {
    return [];
  }
}

function documentsOf(text: string): RuleDocument[] {
  return readDocuments(text).map((document) => {
    if ('message' in document) throw new Error(`Line ${document.line}: ${document.message}`);
    const { value, source } = document;
    const id = isMapping(value) && typeof value.id === 'string' && value.id !== '' ? value.id.toLowerCase() : null;
    return { id, source: source.trim() };
  });
}

function withId({ id, source }: RuleDocument): RuleDocument & { readonly id: string } {
  if (id !== null) return { id, source };
  const made = crypto.randomUUID();
  const line = `id: ${made}`;
  // Below a title that goes on in the next line it would be part of the title.
  const title = /^title:.*$(?!\r?\n\s)/m;
  return {
    id: made,
    source: title.test(source) ? source.replace(title, (whole) => `${whole}\n${line}`) : `${line}\n${source}`,
  };
}

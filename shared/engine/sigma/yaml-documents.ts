import { CORE_SCHEMA, loadAll, YAMLException } from 'js-yaml';

/** One document of a rule file. */
export interface YamlDocument {
  readonly value: unknown;
  /** Its own text. */
  readonly source: string;
  /** 1-based line of the file on which it begins. */
  readonly line: number;
}

export interface YamlFailure {
  readonly line: number;
  readonly message: string;
}

const longestFile = 4 * 1024 * 1024;
const mostAliases = 1000;
const deepest = 64;

/** Reads the documents of a rule file; one that cannot be read does not stop the others (1.1). */
export function readDocuments(text: string): (YamlDocument | YamlFailure)[] {
  if (text.length > longestFile) return [{ line: 1, message: 'The file is larger than 4 MiB' }];
  return splitDocuments(text).map(({ source, line }) => {
    try {
      const values = loadAll(source, { schema: CORE_SCHEMA, maxAliases: mostAliases, maxDepth: deepest });
      return { value: values[0], source, line };
    } catch (error) {
      if (error instanceof YAMLException) {
        return { line: line + (error.mark?.line ?? 0), message: `Not readable as YAML: ${error.reason}` };
      }
      return { line, message: `Not readable as YAML: ${error instanceof Error ? error.message : String(error)}` };
    }
  });
}

/** Cuts a file at its `---` lines; empty documents are left out. */
function splitDocuments(text: string): { source: string; line: number }[] {
  const documents: { source: string; line: number }[] = [];
  let from = 0;
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  for (let at = 0; at <= lines.length; at++) {
    if (at < lines.length && !/^---(?:\s|$)/.test(lines[at]!)) continue;
    const source = lines.slice(from, at).join('\n');
    if (/^\s*[^\s#]/m.test(source)) documents.push({ source, line: from + 1 });
    from = at + 1;
  }
  return documents;
}

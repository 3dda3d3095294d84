import { inputSentence, type WorkflowProblem } from '@svc/contracts';
import {
  secondsOf,
  TaskDefinition,
  WorkflowDefinition,
  WorkflowDocument,
  WorkflowHead,
} from '@svc/contracts/workflow-definition.ts';
import { workflowLimits } from '@svc/domain';
import { readPlainDocument, writeDocument, type YamlDocument } from '@svc/engine';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { StoredWorkflow, WorkflowContent } from './workflow-store.ts';

const limits = { maxDepth: 12, mostEvents: 20_000 };
type Path = readonly PropertyKey[];

export interface ReadDefinition {
  /** Null where there are errors. */
  readonly tasks: readonly TaskDefinition[] | null;
  readonly problems: readonly WorkflowProblem[];
  /** Line on which a part stands. */
  lineOf(path: readonly (string | number)[]): number;
}

/** Reads a definition: what is wrong with it, each with its key and line, and what is not read. */
export function readDefinition(text: string): ReadDefinition {
  if (text.length > workflowLimits.definition) {
    return refused(`must have at most ${workflowLimits.definition} characters`, 1);
  }
  const document = readPlainDocument(text, limits);
  if ('message' in document) return refused(`cannot be used: ${document.message}`, document.line);
  const value = plain(document.value);
  if (!isFields(value)) return refused('must have the key tasks', document.line);
  const { data, problems } = parsed(WorkflowDefinition, value, document);
  const others = Object.keys(value).filter((key) => key !== 'tasks');
  const beside = others.map((key) => problem('error', document, [key], 'must not stand beside tasks'));
  return {
    tasks: data && beside.length === 0 ? data.tasks : null,
    problems: [...problems, ...beside, ...remarks(value, document)],
    lineOf: (path) => document.lineOf(path),
  };
}

/** What is wrong with the rest. */
export function readHead(head: object): {
  readonly head: z.output<typeof WorkflowHead> | null;
  readonly problems: readonly WorkflowProblem[];
} {
  const { data, problems } = parsed(WorkflowHead, head, null);
  return { head: data, problems };
}

/** A workflow as a document says it. */
export type DocumentedWorkflow = WorkflowContent & Pick<StoredWorkflow, 'isDefault' | 'enabled'>;

export interface ReadWorkflow {
  /** Null where there are errors. */
  readonly workflow: DocumentedWorkflow | null;
  readonly tasks: readonly TaskDefinition[];
  readonly problems: readonly WorkflowProblem[];
  readonly line: number;
  lineOf(path: readonly (string | number)[]): number;
}

/** Reads the workflows of a text, a document each. */
export function readWorkflows(text: string): readonly ReadWorkflow[] {
  return documentsOf(text).map(({ source, line }) => readWorkflow(source, line));
}

/** Reads one; its text begins on `line`. */
function readWorkflow(text: string, begin: number): ReadWorkflow {
  const none = { workflow: null, tasks: [], line: begin, lineOf: () => begin };
  const read = readPlainDocument(text, limits);
  if ('message' in read) {
    return { ...none, problems: [{ level: 'error', key: '', message: read.message, line: begin - 1 + read.line }] };
  }
  const document = { ...read, lineOf: (path: readonly (string | number)[]) => begin - 1 + read.lineOf(path) };
  const value = plain(read.value);
  if (!isFields(value)) {
    const message = 'must have the keys name, log_types and tasks';
    return { ...none, problems: [{ level: 'error', key: '', message, line: begin }] };
  }
  const { data, problems } = parsed(WorkflowDocument, value, document);
  const all = [
    ...problems,
    ...unread(value, Object.keys(WorkflowDocument.shape), document, []),
    ...remarks(value, document),
  ];
  if (data === null) return { ...none, problems: all };
  const { name, description, log_types: logTypes, is_default: isDefault, enabled, tasks } = data;
  const definition = definitionIn(text, value, read);
  const workflow = { name, description, logTypes, isDefault, enabled, definition };
  return { workflow, tasks, problems: all, line: begin, lineOf: (path) => document.lineOf(path) };
}

/** A workflow as a document, which reads as it does; the text of its definition as it was written. */
export function writeWorkflow({
  name,
  description,
  logTypes,
  isDefault,
  enabled,
  definition,
}: DocumentedWorkflow): string {
  const head = {
    name,
    description,
    log_types: [...logTypes],
    ...(isDefault && { is_default: true }),
    ...(!enabled && { enabled: false }),
  };
  const said = `${writeDocument(head)}${definition.trimEnd()}\n`;
  const [read, ...others] = readWorkflows(said);
  const isWhole = read?.workflow?.name === name && read.workflow.definition.trimEnd() === definition.trimEnd();
  if (isWhole && others.length === 0) return said;
  // JSON, a mark of a document, or what this version refuses.
  const document = readPlainDocument(definition, limits);
  const value = 'message' in document ? null : plain(document.value);
  return writeDocument({ ...head, tasks: isFields(value) ? value['tasks'] : [] });
}

/** The part of a document that says its tasks, as it is written where it is the last; else written anew. */
function definitionIn(text: string, value: Fields, { lineOf }: Pick<YamlDocument, 'lineOf'>): string {
  const at = lineOf(['tasks']);
  const lines = text.split('\n');
  const part = `${lines
    .slice(at - 1)
    .join('\n')
    .trimEnd()}\n`;
  const again = readPlainDocument(part, limits);
  const { tasks } = value;
  const isWhole =
    part.startsWith('tasks:') && !('message' in again) && isDeepStrictEqual(plain(again.value), { tasks });
  return isWhole ? part : writeDocument({ tasks });
}

/** Texts of the documents, at the marks between them; one without anything is none. */
function documentsOf(text: string): { source: string; line: number }[] {
  const documents: { lines: string[]; line: number }[] = [{ lines: [], line: 1 }];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^---\s*$/.test(line)) documents.push({ lines: [], line: index + 2 });
    else documents.at(-1)!.lines.push(line);
  }
  return documents
    .filter(({ lines }) => lines.some((line) => /^\s*[^\s#]/.test(line)))
    .map(({ lines, line }) => ({ source: lines.join('\n'), line }));
}

type Fields = Readonly<Record<string, unknown>>;

function parsed<T extends z.ZodType>(
  schema: T,
  value: unknown,
  document: Pick<YamlDocument, 'lineOf'> | null,
): { readonly data: z.output<T> | null; readonly problems: WorkflowProblem[] } {
  const { data, error } = schema.safeParse(value, { error: inputSentence });
  const problems = (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => problem('error', document, [...issue.path, key], 'is no key that can stand here'))
      : [problem('error', document, issue.path, issue.message)],
  );
  return { data: data ?? null, problems };
}

/** What is no error, but not as it seems: keys that nothing reads, and times that are another. */
function remarks(root: Fields, document: Pick<YamlDocument, 'lineOf'>): WorkflowProblem[] {
  const tasks: readonly unknown[] = Array.isArray(root['tasks']) ? root['tasks'] : [];
  return tasks.flatMap((task, index) => {
    if (!isFields(task)) return [];
    const path = ['tasks', index];
    const times = [['timeout', 300] as const, ['build_timeout', 600] as const].flatMap(([key, none]) => {
      const given = task[key];
      if ((typeof given !== 'string' && typeof given !== 'number') || secondsOf(given, none) === Number(given))
        return [];
      return [problem('warning', document, [...path, key], `“${given}” stands for ${secondsOf(given, none)} seconds`)];
    });
    return [...unread(task, Object.keys(TaskDefinition.shape), document, path), ...times];
  });
}

function unread(
  fields: Fields,
  known: readonly string[],
  document: Pick<YamlDocument, 'lineOf'>,
  path: Path,
): WorkflowProblem[] {
  return Object.keys(fields)
    .filter((key) => !known.includes(key))
    .map((key) => problem('warning', document, [...path, key], 'is not read'));
}

/** Something about a part of a document; without one it stands on no line. */
export function problem(
  level: WorkflowProblem['level'],
  document: Pick<YamlDocument, 'lineOf'> | null,
  path: Path,
  message: string,
): WorkflowProblem {
  const parts = path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  return { level, key: keyOf(parts), message, line: document?.lineOf(parts) ?? null };
}

/** `tasks[1].filters.status`. */
function keyOf(path: readonly (string | number)[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part.slice(0, 60)}`))
    .join('')
    .replace(/^\./, '');
}

function refused(message: string, line: number): ReadDefinition {
  return { tasks: null, problems: [{ level: 'error', key: 'tasks', message, line }], lineOf: () => line };
}

/** Whole numbers are read so that none of their digits is lost; none here has that many. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

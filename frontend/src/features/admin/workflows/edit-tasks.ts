import { isMap, isNode, isSeq, parseDocument, type Document, type YAMLSeq } from 'yaml';

/** What the form shows of a task; the rest stays as it is written. */
export interface TaskFields {
  readonly tool: string;
  readonly whenAvailable: boolean;
  /** Null for every pack that is enabled. */
  readonly packs: readonly string[] | null;
  readonly minLevel: string;
  readonly statuses: readonly string[];
  readonly exclude: readonly string[];
  readonly rulesPaths: readonly string[];
  readonly timeout: string;
  readonly samples: string;
  /** Keys that are edited in the text alone. */
  readonly others: readonly string[];
}

const shown = new Set(['tool', 'when_available', 'packs', 'rules_path', 'timeout', 'max_finding_details']);
const shownFilters = new Set(['min_level', 'status', 'exclude']);

/** What a definition says of its tasks; null where it cannot be read as such. */
export function readTasks(text: string): readonly TaskFields[] | null {
  const document = parsed(text);
  const tasks: unknown = document && fields(document.toJS())['tasks'];
  if (!Array.isArray(tasks)) return null;
  return tasks.map((task: unknown) => {
    const said = fields(task);
    const filters = fields(said['filters']);
    const packs = said['packs'];
    return {
      tool: word(said['tool']),
      whenAvailable: said['when_available'] === true,
      packs: packs === undefined || packs === null || packs === 'all' ? null : words(packs),
      minLevel: word(filters['min_level']),
      statuses: words(filters['status']),
      exclude: words(filters['exclude']),
      rulesPaths: words(said['rules_path']),
      timeout: word(said['timeout']),
      samples: word(said['max_finding_details']),
      others: [
        ...Object.keys(said).filter((key) => !shown.has(key) && key !== 'filters'),
        ...Object.keys(filters).flatMap((key) => (shownFilters.has(key) ? [] : [`filters.${key}`])),
      ],
    };
  });
}

/** Has a task say something else; nothing, an empty list or an empty text takes the key out. */
export function withValue(
  text: string,
  index: number,
  path: readonly string[],
  value: string | number | boolean | readonly string[] | undefined,
): string {
  return edited(text, (document) => {
    const whole = ['tasks', index, ...path];
    const isNothing = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (!isNothing) {
      const before: unknown = document.getIn(whole, true);
      const node = document.createNode(value, { flow: true });
      if (isNode(before) && before.comment) node.comment = before.comment;
      document.setIn(whole, node);
      return;
    }
    document.deleteIn(whole);
    const around = whole.slice(0, -1);
    const map = document.getIn(around);
    if (path.length > 1 && isMap(map) && map.items.length === 0) document.deleteIn(around);
  });
}

/** Moves a task up (-1) or down (1). */
export function withMoved(text: string, index: number, by: -1 | 1): string {
  return edited(text, (_, tasks) => {
    const [task] = tasks.items.splice(index, 1);
    if (task !== undefined) tasks.items.splice(index + by, 0, task);
  });
}

export function withoutTask(text: string, index: number): string {
  return edited(text, (_, tasks) => void tasks.items.splice(index, 1));
}

export function withTask(text: string, tool: string): string {
  return edited(text, (document, tasks) => {
    tasks.flow = false;
    tasks.items.push(document.createNode({ tool }));
  });
}

/** A definition with another list of tasks; as it is where it cannot be read. */
function edited(text: string, change: (document: Document, tasks: YAMLSeq) => void): string {
  const document = parsed(text);
  const tasks: unknown = document?.get('tasks');
  if (!document || !isSeq(tasks)) return text;
  change(document, tasks);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function parsed(text: string): Document | null {
  const document = parseDocument(text);
  return document.errors.length === 0 ? document : null;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function words(value: unknown): string[] {
  return [value].flat().map(word).filter(Boolean);
}

import {
  counted,
  listMatches,
  listValues,
  ruleDocumentLimits,
  ruleListLimits,
  type ListMatch,
  webhookTemplateKinds,
  type WebhookTemplate,
} from '@svc/domain';
import { readPlainDocument } from '@svc/engine';
import type { AlertRuleDraft } from './validate-alert-rule.ts';

/** What a document says of a list. */
export interface DocumentList {
  readonly name: string;
  readonly match: ListMatch;
  readonly description: string;
  readonly values: readonly string[];
}

/** Where an entry stands, as messages say it. */
export interface DocumentPlace {
  /** `rules[3] (md5)`. */
  readonly name: string;
  readonly line: number;
}

/** What a document says of a rule, before it was looked at. */
export interface DocumentRule {
  readonly draft: Omit<AlertRuleDraft, 'isShared' | 'tellsOfWatchedJobs'>;
  readonly enabled: boolean;
}

export interface RuleDocument {
  readonly lists: readonly (DocumentPlace & { readonly list: DocumentList })[];
  readonly rules: readonly (DocumentPlace & { readonly rule: DocumentRule })[];
  /** All that is wrong, each with where; then what was read is not all that there is. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const ruleKeys = [
  'key',
  'name',
  'description',
  'scope',
  'entity_types',
  'criteria',
  'condition',
  'tags',
  'notify',
  'enabled',
  'webhook',
];
const webhookKeys = ['url', 'method', 'headers', 'template', 'body', 'enabled'];
const listKeys = ['name', 'match', 'description', 'values'];

/** Reads a document of lists and rules (resolved-intel 13.1): its form, and the types of all it says. */
export function readRuleDocument(text: string): RuleDocument {
  const { depth, events } = ruleDocumentLimits;
  const document = readPlainDocument(text, { maxDepth: depth, mostEvents: events });
  if ('message' in document) return refused(`${document.message} (line ${document.line})`);
  const root = document.value ?? {};
  if (!isFields(root)) return refused(`The document must have the keys lists and rules (line ${document.line})`);
  const reader = new Reader((path) => document.lineOf(path));
  const top = { name: 'The document', line: document.line };
  reader.warnOf(root, ['lists', 'rules'], { at: top, path: [] });
  const lists = reader.entries(root, 'lists', ruleDocumentLimits.lists);
  const rules = reader.entries(root, 'rules', ruleDocumentLimits.rules);
  return {
    lists: lists.map(({ fields, ...entry }) => ({ ...entry.at, list: reader.list(fields, entry) })),
    rules: rules.map(({ fields, ...entry }) => ({ ...entry.at, rule: reader.rule(fields, entry) })),
    errors: reader.errors,
    warnings: reader.warnings,
  };
}

/** A message of an entry. */
export function ofPlace({ name, line }: DocumentPlace, message: string): string {
  return `${name}: ${message} (line ${line})`;
}

function refused(error: string): RuleDocument {
  return { lists: [], rules: [], errors: [error], warnings: [] };
}

interface Entry {
  readonly at: DocumentPlace;
  readonly path: readonly (string | number)[];
}

class Reader {
  readonly errors: string[] = [];
  readonly warnings: string[] = [];
  readonly #lineOf: (path: readonly (string | number)[]) => number;

  constructor(lineOf: (path: readonly (string | number)[]) => number) {
    this.#lineOf = lineOf;
  }

  entries(root: Fields, key: 'lists' | 'rules', most: number): (Entry & { readonly fields: Fields })[] {
    const given = root[key] ?? [];
    if (!Array.isArray(given)) {
      this.errors.push(`${key} must be a list (line ${this.#lineOf([key])})`);
      return [];
    }
    if (given.length > most) {
      this.errors.push(
        `There are ${counted(given.length, key.slice(0, -1))}; a document has ${most} at most (line ${this.#lineOf([key])})`,
      );
      return [];
    }
    return given.flatMap((fields: unknown, index) => {
      const path = [key, index];
      const line = this.#lineOf(path);
      const named = isFields(fields)
        ? [fields['key'], fields['name']].find((one) => typeof one === 'string')
        : undefined;
      const at = { name: `${key}[${index}]${named === undefined ? '' : ` (${named.slice(0, 60)})`}`, line };
      if (isFields(fields)) return [{ at, path, fields }];
      this.errors.push(ofPlace(at, 'must have keys and values'));
      return [];
    });
  }

  list(fields: Fields, entry: Entry): DocumentList {
    this.warnOf(fields, listKeys, entry);
    const name = this.#text(fields, 'name', entry).trim();
    const match = this.#text(fields, 'match', entry, 'exact').trim();
    const description = this.#text(fields, 'description', entry).trim();
    const values = listValues(this.#texts(fields, 'values', entry));
    const known = listMatches.find((one) => one === match);
    const most = ruleListLimits;
    if (!/^[a-z0-9_]{1,50}$/.test(name))
      this.#error(entry, 'name', `its name must be 1 to ${most.name} of a-z, 0-9 and _`);
    if (known === undefined) this.#error(entry, 'match', 'match must be exact, suffix or domain');
    if (description.length > most.description)
      this.#error(entry, 'description', `its description has more than ${most.description} characters`);
    if (values.length === 0) this.#error(entry, 'values', 'it has no values');
    if (values.length > most.values)
      this.#error(entry, 'values', `it has ${counted(values.length, 'value')}; a list holds ${most.values} at most`);
    const long = values.findIndex(({ length }) => length > most.value);
    if (long >= 0) this.#error(entry, 'values', `a value has more than ${most.value} characters`);
    return { name, match: known ?? 'exact', description, values };
  }

  rule(fields: Fields, entry: Entry): DocumentRule {
    this.warnOf(fields, ruleKeys, entry);
    const { criteria, condition } = fields;
    if (criteria !== undefined && condition !== undefined)
      this.#error(entry, 'condition', 'criteria and condition are the same; say one');
    const types = fields['entity_types'];
    const draft = {
      name: this.#text(fields, 'name', entry),
      description: this.#text(fields, 'description', entry),
      key: fields['key'] === undefined || fields['key'] === null ? null : this.#text(fields, 'key', entry).trim(),
      scope: this.#text(fields, 'scope', entry, 'entity'),
      query: this.#text(fields, condition === undefined ? 'criteria' : 'condition', entry),
      entityTypes:
        typeof types === 'string'
          ? types.split(',').filter((type) => type.trim() !== '')
          : this.#texts(fields, 'entity_types', entry),
      actionTags: this.#tags(fields, entry),
      notifies: this.#flag(fields, 'notify', entry, false),
      webhook: this.#webhook(fields, entry),
    };
    return { draft, enabled: this.#flag(fields, 'enabled', entry, true) };
  }

  warnOf(fields: Fields, known: readonly string[], { at, path }: Entry): void {
    for (const key of Object.keys(fields).filter((one) => !known.includes(one))) {
      this.warnings.push(`${at.name}: “${key.slice(0, 60)}” is not read (line ${this.#lineOf([...path, key])})`);
    }
  }

  #error({ at, path }: Entry, key: string | number, message: string): void {
    this.errors.push(ofPlace({ ...at, line: this.#lineOf([...path, key]) }, message));
  }

  #text(fields: Fields, key: string, entry: Entry, none = ''): string {
    const value = fields[key] ?? none;
    if (typeof value === 'string') return value;
    this.#error(entry, key, `${key} must be text; put it in quotes`);
    return none;
  }

  #flag(fields: Fields, key: string, entry: Entry, none: boolean): boolean {
    const value = fields[key] ?? none;
    if (typeof value === 'boolean') return value;
    this.#error(entry, key, `${key} must be true or false`);
    return none;
  }

  /** A list of texts; as one text, those of its lines and between its commas. */
  #texts(fields: Fields, key: string, entry: Entry): readonly string[] {
    const value = fields[key] ?? [];
    if (typeof value === 'string') return listValues(value);
    if (!Array.isArray(value)) {
      this.#error(entry, key, `${key} must be a list`);
      return [];
    }
    const bad = value.findIndex((one) => typeof one !== 'string');
    if (bad < 0) return value as string[];
    this.#error({ ...entry, path: [...entry.path, key] }, bad, `${key} must be texts; put them in quotes`);
    return [];
  }

  #tags(fields: Fields, entry: Entry): AlertRuleDraft['actionTags'] {
    const value = fields['tags'] ?? [];
    const tags: unknown[] =
      typeof value === 'string' ? value.split(',').filter((name) => name.trim() !== '') : [value].flat();
    return tags.flatMap((tag, index) => {
      if (typeof tag === 'string') return [{ name: tag, color: 'gray' }];
      const { name, color = 'gray' } = isFields(tag) ? tag : {};
      if (typeof name === 'string' && typeof color === 'string') return [{ name, color }];
      this.#error(
        { ...entry, path: [...entry.path, 'tags'] },
        index,
        'tags must be names, or have a name and a color that are text',
      );
      return [];
    });
  }

  #webhook(fields: Fields, entry: Entry): AlertRuleDraft['webhook'] {
    const none = { url: null, method: 'POST', headers: {}, enabled: false };
    const value = fields['webhook'] ?? {};
    if (!isFields(value)) {
      this.#error(entry, 'webhook', 'webhook must have keys and values');
      return none;
    }
    const inner = { ...entry, path: [...entry.path, 'webhook'] };
    this.warnOf(value, webhookKeys, inner);
    const headers = value['headers'] ?? {};
    if (!isFields(headers)) this.#error(inner, 'headers', 'headers must have names and values');
    return {
      url: this.#text(value, 'url', inner) || null,
      method: this.#text(value, 'method', inner, 'POST'),
      headers: isFields(headers) ? plainNumbers(headers) : {},
      template: this.#template(value, inner),
      enabled: this.#flag(value, 'enabled', inner, true),
    };
  }

  /** Of a chat, or of one's own with a body; none is the product's own. */
  #template(fields: Fields, entry: Entry): WebhookTemplate | null {
    const name = this.#text(fields, 'template', entry);
    if (name === '') return null;
    const kind = webhookTemplateKinds.find((known) => known === name);
    if (kind === undefined) {
      this.#error(entry, 'template', `template must be one of ${webhookTemplateKinds.join(', ')}`);
      return null;
    }
    return kind === 'custom' ? { kind, body: this.#text(fields, 'body', entry) } : { kind };
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whole numbers are read so that none of their digits is lost. */
function plainNumbers(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}

import { parseCorrelation } from '../correlation/parse-correlation.ts';
import { type LoadedCorrelation, resolveCorrelations } from '../correlation/resolve-correlations.ts';
import { severities, type Severity } from '../severity.ts';
import { compileDetection } from './detection.ts';
import { applyFilters, parseFilter, type Filter } from './filters.ts';
import { parseLogSource } from './log-source.ts';
import { isMapping, type Mapping } from './mapping.ts';
import type { Placeholders, UnknownPlaceholders } from './placeholders.ts';
import { RuleError, type RuleProblem } from './problem.ts';
import { RuleContext } from './rule-context.ts';
import type { Rule } from './rule.ts';
import type { RuleSet } from './rule-set.ts';
import { hasInput } from './source-rows.ts';
import { readDocuments, type YamlDocument, type YamlPath } from './yaml-documents.ts';

/** A rule file's content and where it comes from. */
export interface RuleFile {
  readonly path: string;
  readonly text: string;
}

export interface LoadOptions {
  /** Values of placeholders, by name in lower case (detection-engine 1.8). */
  readonly placeholders?: Placeholders;
  /** What becomes of a rule whose placeholder has no values. @default 'reject' */
  readonly unknownPlaceholders?: UnknownPlaceholders;
  /** Also load rules of status `unsupported` and `deprecated`. @default false */
  readonly includeRetired?: boolean;
}

export interface LoadedRules {
  readonly rules: RuleSet;
  /** Rules and correlations in force. */
  readonly loaded: number;
  readonly rejected: readonly RuleProblem[];
  readonly warnings: readonly RuleProblem[];
  /** Rules left out because their own status says that they are no longer to be used. */
  readonly retired: readonly RuleProblem[];
  /** Loaded rules whose log source no input here can satisfy yet, by `product/category/service`. */
  readonly withoutInput: Readonly<Record<string, number>>;
}

type Warn = (message: string, at: YamlPath) => void;

interface Loading {
  readonly rules: Rule[];
  readonly filters: Filter[];
  readonly correlations: LoadedCorrelation[];
  readonly rejected: RuleProblem[];
  readonly warnings: RuleProblem[];
  readonly retired: RuleProblem[];
  /** Path of the first document with each id. */
  readonly ids: Map<string, string>;
  readonly placeholders: Placeholders;
  readonly unknownPlaceholders: UnknownPlaceholders;
  readonly includeRetired: boolean;
}

/** Loads rule files, in the order given; a bad document is reported and stops no other (1.1). */
export function loadRules(files: Iterable<RuleFile>, options: LoadOptions = {}): LoadedRules {
  const loading: Loading = {
    rules: [],
    filters: [],
    correlations: [],
    rejected: [],
    warnings: [],
    retired: [],
    ids: new Map(),
    placeholders: options.placeholders ?? new Map(),
    unknownPlaceholders: options.unknownPlaceholders ?? 'reject',
    includeRetired: options.includeRetired ?? false,
  };
  for (const file of files) {
    for (const document of readDocuments(file.text)) {
      if ('message' in document) loading.rejected.push({ path: file.path, ...document });
      else loadDocument(loading, file.path, document);
    }
  }
  const rules = loading.rules.map((rule) => applyFilters(rule, loading.filters));
  const { correlations, rejected, silent } = resolveCorrelations(rules, loading.correlations);
  return {
    rules: { rules, correlations, silent },
    loaded: rules.length + correlations.length,
    rejected: [...loading.rejected, ...rejected],
    warnings: loading.warnings,
    retired: loading.retired,
    withoutInput: countWithoutInput(rules),
  };
}

function loadDocument(loading: Loading, path: string, document: YamlDocument): void {
  const place = (message: string, at: YamlPath): RuleProblem => ({ path, line: document.lineOf(at), message });
  const warn: Warn = (message, at) => void loading.warnings.push(place(message, at));
  const unknown = loading.unknownPlaceholders;
  const context = new RuleContext(loading.placeholders, warn, unknown);
  try {
    const { value } = document;
    if (!isMapping(value)) throw new RuleError('The document is not a map');
    if (value.action !== undefined)
      throw new RuleError('Rule collections (action) are not part of Sigma any more', 'action');
    if (!loading.includeRetired && (value.status === 'unsupported' || value.status === 'deprecated')) {
      loading.retired.push(place(`The rule’s status is ${value.status}`, ['status']));
      return;
    }
    if (value.correlation !== undefined) {
      const correlation = parseCorrelation(value, path, document.source);
      loading.correlations.push({ document: correlation, lineOf: (...at) => document.lineOf(at) });
    } else if (value.filter !== undefined) {
      const filter = context.within('filter', () => parseFilter(value, context));
      checkPlaceholders(context, unknown, warn);
      loading.filters.push(filter);
    } else if (value.detection === undefined) {
      throw new RuleError('The document has neither detection, correlation nor filter');
    } else {
      const rule = compileRule(value, path, document.source, context);
      checkPlaceholders(context, unknown, warn);
      loading.rules.push(rule);
    }
    noteId(loading, value.id, path, warn);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    loading.rejected.push(place(error.message, error.at ?? context.at));
  }
}

/** Refuses a document with placeholders that have no values, or warns that they are any text (1.8). */
function checkPlaceholders({ lacking }: RuleContext, unknown: UnknownPlaceholders, warn: Warn): void {
  const [at] = lacking.values();
  if (at === undefined) return;
  const names = [...lacking.keys()].map((name) => `%${name}%`).join(', ');
  const message = `no values are configured for the placeholder ${names}`;
  if (unknown === 'reject') throw new RuleError(message, ...at);
  warn(`${message}, which is taken for any text`, at);
}

/** Warns of an id that an earlier document has too: a reference by it means the earlier one (1.1). */
function noteId({ ids }: Loading, id: unknown, path: string, warn: Warn): void {
  if (typeof id !== 'string') return;
  const key = id.toLowerCase();
  const first = ids.get(key);
  if (first === undefined) ids.set(key, path);
  else warn(`The id ${key} is also that of ${first}; both are in force`, ['id']);
}

function compileRule(value: Mapping, path: string, source: string, context: RuleContext): Rule {
  if (typeof value.title !== 'string' || value.title === '') throw new RuleError('The rule has no title', 'title');
  if (value.taxonomy !== undefined && value.taxonomy !== 'sigma') {
    throw new RuleError(`The taxonomy “${text(value.taxonomy) ?? '?'}” is not configured`, 'taxonomy');
  }
  const tags = Array.isArray(value.tags) ? (value.tags as unknown[]).map(String) : [];
  return {
    id: typeof value.id === 'string' ? value.id.toLowerCase() : null,
    name: text(value.name),
    title: value.title,
    level: levelOf(value.level),
    status: text(value.status) ?? 'experimental',
    tags,
    author: text(value.author),
    logSource: parseLogSource(value.logsource),
    expression: context.within('detection', () => compileDetection(value.detection, context)),
    path,
    source,
  };
}

function levelOf(value: unknown): Severity {
  if (value === undefined || value === null) return 'informational';
  const level = severities.find((one) => one === text(value)?.toLowerCase());
  if (level === undefined) throw new RuleError(`The level “${text(value) ?? '?'}” is unknown`, 'level');
  return level;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function countWithoutInput(rules: readonly Rule[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { logSource } of rules) {
    if (hasInput(logSource)) continue;
    const key = [logSource.product, logSource.category, logSource.service].map((part) => part ?? '-').join('/');
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

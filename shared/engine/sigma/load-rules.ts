import type { Correlation } from '../correlation/correlation.ts';
import { parseCorrelation } from '../correlation/parse-correlation.ts';
import { resolveCorrelations } from '../correlation/resolve-correlations.ts';
import { severities, type Severity } from '../findings.ts';
import { compileDetection, isMapping } from './detection.ts';
import { applyFilters, parseFilter, type Filter } from './filters.ts';
import { parseLogSource } from './log-source.ts';
import type { Placeholders } from './placeholders.ts';
import { RuleError, type RuleProblem } from './problem.ts';
import { RuleContext } from './rule-context.ts';
import type { Rule } from './rule.ts';
import type { RuleSet } from './rule-set.ts';
import { hasInput } from './source-rows.ts';
import { readDocuments, type YamlDocument } from './yaml-documents.ts';

/** A rule file's content and where it comes from. */
export interface RuleFile {
  readonly path: string;
  readonly text: string;
}

export interface LoadOptions {
  /** Values of placeholders, by name in lower case (detection-engine 1.8). */
  readonly placeholders?: Placeholders;
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

interface Loading {
  readonly rules: Rule[];
  readonly filters: Filter[];
  readonly correlations: { correlation: Correlation; line: number }[];
  readonly rejected: RuleProblem[];
  readonly warnings: RuleProblem[];
  readonly retired: RuleProblem[];
  readonly placeholders: Placeholders;
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
    placeholders: options.placeholders ?? new Map(),
    includeRetired: options.includeRetired ?? false,
  };
  for (const file of files) {
    for (const document of readDocuments(file.text)) {
      if ('message' in document) loading.rejected.push({ path: file.path, ...document });
      else loadDocument(loading, file.path, document);
    }
  }
  warnOfDoubles(loading);
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
  const context = new RuleContext(loading.placeholders, (message, at) =>
    loading.warnings.push({ path, line: document.lineOf(at), message }),
  );
  try {
    const { value } = document;
    if (!isMapping(value)) throw new RuleError('The document is not a map');
    if (value.action !== undefined)
      throw new RuleError('Rule collections (action) are not part of Sigma any more', 'action');
    if (value.correlation !== undefined) {
      const correlation = parseCorrelation(value, path, document.source);
      loading.correlations.push({ correlation, line: document.lineOf(['correlation']) });
    } else if (value.filter !== undefined) {
      loading.filters.push(context.within('filter', () => parseFilter(value, context)));
    } else if (value.detection === undefined) {
      throw new RuleError('The document has neither detection, correlation nor filter');
    } else {
      const rule = compileRule(value, path, document.source, context);
      const isRetired = !loading.includeRetired && ['unsupported', 'deprecated'].includes(rule.status);
      if (!isRetired) loading.rules.push(rule);
      else
        loading.retired.push({
          path,
          line: document.lineOf(['status']),
          message: `The rule’s status is ${rule.status}`,
        });
    }
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    loading.rejected.push({ path, line: document.lineOf(error.at ?? context.at), message: error.message });
  }
}

function compileRule(
  value: Readonly<Record<string, unknown>>,
  path: string,
  source: string,
  context: RuleContext,
): Rule {
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

function warnOfDoubles({ rules, warnings }: Loading): void {
  const first = new Map<string, string>();
  for (const { id, path } of rules) {
    if (id === null) continue;
    const other = first.get(id);
    if (other === undefined) first.set(id, path);
    else warnings.push({ path, line: 1, message: `The id ${id} is also that of ${other}; both are in force` });
  }
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

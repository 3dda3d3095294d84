import { archiveLimits, isZip, openArchive } from '../readers/compressed/open-archive.ts';
import { openLog } from '../readers/open-log.ts';
import { type ReadingLimits, usualLimits } from '../readers/compressed/reading-limits.ts';
import { headOf, logTypeOf } from '../readers/detect-log-type.ts';
import type { LogType } from '../readers/log-type.ts';
import type { ByteSource, ReadOptions } from '../readers/reader.ts';
import type { Rule } from '../sigma/rule.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import { readMatches } from './read-matches.ts';
import { keyOfRule, type ToldRule } from './told-rule.ts';

export interface RulesOfOptions extends Omit<ReadOptions, 'range'> {
  /** Rules that logs are held against, in which what results do not say of theirs is looked up. */
  readonly rules: RuleSet;
  /** `auto` decides by content. */
  readonly logType: LogType | 'auto';
  readonly limits?: ReadingLimits;
}

/** Rules that are kept of one file; a set of rules has a few thousand. */
export const mostToldRules = 20_000;

/**
 * The rules that an analysis of a log can find: those given, or of the results of an external engine the ones that they
 * name, and of an archive both. To be called before `analyze`, with the same options; rejects as that does.
 */
export async function rulesOf(source: ByteSource, options: RulesOfOptions): Promise<RuleSet> {
  const { rules: given, logType, limits = usualLimits, onProgress: _done, ...reading } = options;
  const told = new Map<string, ToldRule>();
  const isOfResults = async (log: ByteSource, type: LogType | 'auto'): Promise<boolean> => {
    const opened = await openLog(log, type, limits);
    if ((await logTypeOf(opened.source, type)) !== 'detection_results') return false;
    await readMatches(opened.source, ({ rule }) => add(rule, told), opened.options(reading));
    return true;
  };
  if (!isZip(await headOf(source))) {
    return (await isOfResults(source, logType)) ? { ...noRules, rules: namedRules(told, given.rules) } : given;
  }
  const bounds = { ...archiveLimits, ratio: limits.ratio, totalBytes: limits.unpackedBytes };
  const { entries } = await openArchive(source, bounds);
  for (const entry of entries) await isOfResults(entry.source, 'auto');
  // Behind all others, so that these keep their places.
  return told.size === 0 ? given : { ...given, rules: [...given.rules, ...namedRules(told, given.rules)] };
}

const noRules: RuleSet = { rules: [], correlations: [], silent: { rules: [], correlations: [] } };

function add(rule: ToldRule, told: Map<string, ToldRule>): void {
  const key = keyOfRule(rule);
  if (told.size < mostToldRules && !told.has(key)) told.set(key, rule);
}

/** Rules with what they lack taken from those of a set that has the same ones, by their ids or else their titles. */
function namedRules(told: ReadonlyMap<string, ToldRule>, given: readonly Rule[]): Rule[] {
  const known = new Map(given.flatMap((rule) => [[byTitle(rule), rule] as const, [keyOfRule(rule), rule] as const]));
  return [...told].map(([key, rule]) => ruleOf(rule, known.get(key) ?? known.get(byTitle(rule))));
}

function byTitle({ title }: Pick<Rule, 'title'>): string {
  return keyOfRule({ id: null, title });
}

/** A told rule among those of a set; it matches nothing by itself. */
function ruleOf({ id, title, level, tags, author }: ToldRule, same: Rule | undefined): Rule {
  return {
    id: id ?? same?.id ?? null,
    name: null,
    title,
    level: level ?? same?.level ?? 'informational',
    status: same?.status ?? '',
    tags: tags.length > 0 ? tags : (same?.tags ?? []),
    author: author ?? same?.author ?? null,
    logSource: same?.logSource ?? {},
    expression: { kind: 'constant', value: false },
    path: same?.path ?? '',
    source: same?.source ?? '',
  };
}

import type { ReadingLimits } from '../readers/compressed/reading-limits.ts';
import { openCompressed } from '../readers/compressed/open-compressed.ts';
import { logTypeOf } from '../readers/detect-log-type.ts';
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
 * name. To be called before `analyze`, with the same options; rejects as that does.
 */
export async function rulesOf(source: ByteSource, options: RulesOfOptions): Promise<RuleSet> {
  const { rules: given, limits, onProgress: _done, ...reading } = options;
  const opened = await openCompressed(source, limits);
  if ((await logTypeOf(opened.source, options.logType)) !== 'detection_results') return given;
  const told = new Map<string, ToldRule>();
  await readMatches(
    opened.source,
    ({ rule }) => {
      const key = keyOfRule(rule);
      if (told.size < mostToldRules && !told.has(key)) told.set(key, rule);
    },
    opened.options(reading),
  );
  const known = new Map(
    given.rules.flatMap((rule) => [
      [keyOfRule({ ...rule, id: null }), rule],
      [keyOfRule(rule), rule],
    ]),
  );
  const rules = [...told.values()].map((rule): Rule => {
    const same = known.get(keyOfRule(rule)) ?? known.get(keyOfRule({ ...rule, id: null }));
    return ruleOf(rule, same);
  });
  return { rules, correlations: [], silent: { rules: [], correlations: [] } };
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

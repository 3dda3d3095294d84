import type { FoundSoFar } from './findings.ts';
import type { MatchOptions } from './part-analyzer.ts';
import type { ReadingLimits } from './readers/compressed/reading-limits.ts';
import type { LogType } from './readers/log-type.ts';
import type { ReadOptions } from './readers/reader.ts';
import type { RuleSet } from './sigma/rule-set.ts';

export interface AnalyzeOptions extends Omit<ReadOptions, 'range'>, MatchOptions {
  readonly rules: RuleSet;
  /** `auto` decides by content. */
  readonly logType: LogType | 'auto';
  /** @default what `usualLimits` says */
  readonly limits?: ReadingLimits;
  /** Given a way to ask what was found so far, as the reading of the log begins, or of each log in an archive. */
  readonly onReading?: (soFar: () => FoundSoFar) => void;
}

import type { Placeholders } from '../sigma/placeholders.ts';
import type { Rule } from '../sigma/rule.ts';
import { explainRecord } from './explain-record.ts';
import type { Explanation } from './explanation.ts';
import { keptLog } from './kept-log.ts';

/** Holds a rule against a record that was kept of a log, part by part; what only the log itself told is not known. */
export async function explainKept(
  rule: Rule,
  record: Readonly<Record<string, unknown>>,
  placeholders: Placeholders = new Map(),
): Promise<Explanation> {
  const [source, told] = keptLog([record]);
  const { explanations } = await explainRecord(source, { ...told, rules: [rule], record: '#1', placeholders });
  return explanations[0]!;
}

import { attributeKeysOf, attributeRulesOf, attributesOf, attributesVersion } from '@svc/engine';
import type { ReportConfig } from '../ports/report-config.ts';
import type { Describe } from './intel-repository.ts';

/** What was made of a configuration, for those who go over many jobs by the same one. */
const made = new WeakMap<object, Describe>();

/** Says of entities what their values say, by the lists that heuristics go by. */
export async function describing(reportConfig: ReportConfig): Promise<Describe> {
  const config = await reportConfig.current();
  const known = made.get(config) ?? describeBy(config);
  made.set(config, known);
  return known;
}

/** The files are read, which takes longer than storing what a small job names, once for many of them. */
export function asItIsNow(reportConfig: ReportConfig): ReportConfig {
  let read: ReturnType<ReportConfig['current']> | undefined;
  return { current: () => (read ??= reportConfig.current()) };
}

function describeBy({ threats, dgaRule }: Awaited<ReturnType<ReportConfig['current']>>): Describe {
  const rules = attributeRulesOf(threats, dgaRule);
  const describe = ({ type, value }: Parameters<Describe['describe']>[0]) => {
    const attributes = attributesOf(type, value, rules);
    return { attributes, keys: attributeKeysOf(attributes) };
  };
  return { version: attributesVersion, describe };
}

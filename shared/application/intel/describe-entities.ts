import { attributeKeysOf, attributeRulesOf, attributesOf, attributesVersion } from '@svc/engine';
import type { ReportConfig } from '../ports/report-config.ts';
import type { Describe } from './intel-repository.ts';

/** Says of entities what their values say, by the lists that heuristics go by. */
export async function describing(reportConfig: ReportConfig): Promise<Describe> {
  const { threats, dgaRule } = await reportConfig.current();
  const rules = attributeRulesOf(threats, dgaRule);
  const describe = ({ type, value }: Parameters<Describe['describe']>[0]) => {
    const attributes = attributesOf(type, value, rules);
    return { attributes, keys: attributeKeysOf(attributes) };
  };
  return { version: attributesVersion, describe };
}

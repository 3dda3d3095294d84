export { readMatches } from './read-matches.ts';
export { mostToldRules, rulesOf, type RulesOfOptions } from './told-rules.ts';
export { type ExternalEngine, severityOf, type ToldRule } from './told-rule.ts';
export type { TakeMatch, ToldMatch } from './told-match.ts';

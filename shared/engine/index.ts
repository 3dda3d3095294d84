export * from './analyze.ts';
export * from './findings.ts';
export { detectLogType, isGzip } from './readers/detect-log-type.ts';
export * from './readers/log-type.ts';
export type { ByteSource, ReadOptions, ReadProblem } from './readers/reader.ts';
export { readableTypes } from './readers/readers.ts';
export { packRules, unpackRules } from './sigma/artifact.ts';
export { loadRules, type LoadedRules, type LoadOptions, type RuleFile, type RuleSet } from './sigma/load-rules.ts';
export type { RuleProblem } from './sigma/problem.ts';

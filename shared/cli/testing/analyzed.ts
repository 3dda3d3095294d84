import type { Finding, LoadedRules } from '@svc/engine';
import { RunRecord } from '../analysis/run-record.ts';
import { FileError } from '../file-error.ts';
import type { AnalyzedLog, Run, RunContext } from '../report.ts';

/** A finding of one event, with what tests say of it. */
export function finding(over: Partial<Finding> = {}): Finding {
  return {
    ruleId: null,
    ruleName: 'A Rule',
    severity: 'medium',
    tags: [],
    author: null,
    count: 1,
    first: '2026-03-01T10:00:00.5Z',
    last: '2026-03-01T10:00:00.5Z',
    computers: ['ws-01.example.test'],
    samples: [],
    ruleSource: '',
    ...over,
  };
}

/** A log of 1,000 events and 2 MB, read in a quarter of a second, with what was found in it. */
export function log(
  file: string,
  findings: readonly Finding[],
  over: Partial<AnalyzedLog['analysis']> = {},
): AnalyzedLog {
  const analysis = {
    logType: 'evtx',
    events: 1000,
    passedOver: { outside: 0, untimed: 0 },
    findings,
    statistics: null,
    derived: null,
    census: null,
    raw: null,
    costs: null,
    problems: [],
    ...over,
  } as const;
  return { file, bytes: 2_000_000, sha256: null, analysis, durationMs: 250 };
}

export function context(over: Partial<LoadedRules> = {}): RunContext {
  const rules: LoadedRules = {
    rules: { rules: [], correlations: [], silent: { rules: [], correlations: [] } },
    loaded: 3000,
    rejected: [],
    warnings: [],
    retired: [],
    withoutInput: {},
    ...over,
  };
  return { rules, rulesMs: 120, period: undefined, stats: false };
}

/** A run over logs that took as long as they did together. */
export function runOver(of: RunContext, logs: readonly AnalyzedLog[], over: Partial<Run> = {}): Run {
  const record = new RunRecord(of);
  for (const one of logs) record.add(one);
  record.skipped.push('logs/notes.txt');
  record.failed.push(new FileError('logs/locked.evtx: this is not permitted'));
  return { ...record.end(false), durationMs: logs.reduce((sum, { durationMs }) => sum + durationMs, 0), ...over };
}

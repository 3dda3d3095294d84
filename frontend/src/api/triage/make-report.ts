import { presentAnalytics } from '@svc/application/report/shown/analytics.ts';
import {
  type GroupedRules,
  toDerivedOutput,
  toNewFinding,
  toWarning,
} from '@svc/application/report/shown/engine-output.ts';
import { toFindingRow, toMatchedEvent } from '@svc/application/report/shown/findings.ts';
import { presentProcessTree } from '@svc/application/report/shown/process-tree.ts';
import { alertIndexOf, analyticsOf, processesOf } from '@svc/application/report/shown/stored-derivation.ts';
import { emptySummary, severityRank, type LogType, type Severity } from '@svc/domain';
import type { Analysis, Finding } from '@svc/engine';
import type { LocalReport, Texts } from './messages.ts';

/** What one task of the workflow found, and the rules that it ran with. */
export interface TaskAnalysis {
  readonly tool: string;
  readonly analysis: Analysis;
  readonly grouped: GroupedRules;
  readonly maxFindingDetails: number;
}

interface Numbered {
  readonly tool: string;
  /** Place of the task. */
  readonly task: number;
  readonly finding: Finding;
}

/** The report of a log, of the same forms as the service makes of a job's tasks. */
export function makeReport(logType: LogType, tasks: readonly TaskAnalysis[], durationMs: number): LocalReport {
  const found = tasks
    .flatMap(({ tool, analysis }, task) => analysis.findings.map((finding): Numbered => ({ tool, task, finding })))
    .sort((a, b) => severityRank(a.finding.severity) - severityRank(b.finding.severity) || byCount(a, b));
  const severitySummary: Record<Severity, number> = { ...emptySummary };
  for (const { finding } of found) severitySummary[finding.severity] += finding.count;
  return {
    logType,
    events: Math.max(0, ...tasks.map(({ analysis }) => analysis.events)),
    durationMs,
    warnings: [...new Set(tasks.flatMap(({ analysis }) => analysis.problems.map(toWarning)))],
    scoreRatio: `${tasks.filter(({ analysis }) => analysis.findings.length > 0).length}/${tasks.length}`,
    totalFindings: found.reduce((sum, { finding }) => sum + finding.count, 0),
    distinctRules: new Set(found.map(({ finding }) => finding.ruleId ?? finding.ruleName)).size,
    severitySummary,
    firstEventAt: extreme(found, ({ first }) => first, -1),
    lastEventAt: extreme(found, ({ last }) => last, 1),
    maxFindingDetails: Math.max(0, ...tasks.map((task) => task.maxFindingDetails)),
    findings: found.map(({ tool, finding }, place) => rowOf(finding, tool, place + 1)),
    authors: found.map(({ finding }) => finding.author),
    samples: texts(found.map(({ finding }) => JSON.stringify(finding.samples.map(toMatchedEvent)))),
    matches: tasks.map(({ analysis: { raw } }) => ({
      blob: new Blob([...(raw?.chunks ?? [])] as BlobPart[]),
      complete: raw?.isTruncated === false,
    })),
    tasks: found.map(({ task }) => task),
    rules: texts(found.map(({ finding }) => finding.ruleSource)),
    derived: derivedOf(tasks, found),
  };
}

function byCount(a: Numbered, b: Numbered): number {
  return b.finding.count - a.finding.count;
}

function rowOf(finding: Finding, engine: string, id: number): LocalReport['findings'][number] {
  const hasEvents = finding.samples.length > 0;
  const here = { id, jobId: 0, taskResultId: 0, engine, hasEvents, hasRule: true, suppressed: 0 };
  return toFindingRow({ ...toNewFinding(finding), ...here });
}

/** Of the first task that derived something, as in reports of jobs. */
function derivedOf(tasks: readonly TaskAnalysis[], found: readonly Numbered[]): LocalReport['derived'] {
  const task = tasks.find(({ analysis }) => analysis.derived !== null);
  const derived = task && toDerivedOutput(task.analysis, task.grouped);
  if (!task || !derived) return null;
  const { analysis, tool } = task;
  const idOf = new Map(found.map(({ finding }, place) => [finding, place + 1]));
  const stored = {
    engine: tool,
    findings: analysis.findings.map(toNewFinding),
    ids: analysis.findings.map((finding) => idOf.get(finding)!),
  };
  const tagCounts = found.map(({ finding: { tags, count } }) => ({ tags, count }));
  return {
    analytics: json(presentAnalytics(analyticsOf(derived), tagCounts)),
    processTree: json(presentProcessTree(processesOf(derived, stored))),
    alerts: json(alertIndexOf(derived, stored)),
    census: derived.census ?? null,
  };
}

function json(value: unknown): Blob {
  return new Blob([JSON.stringify(value)]);
}

function texts(all: readonly string[]): Texts {
  const encoder = new TextEncoder();
  const parts = all.map((text) => encoder.encode(text));
  let end = 0;
  return { blob: new Blob(parts), ends: parts.map(({ length }) => (end += length)) };
}

/** The first or the last of times, which without their Z sort as texts. */
function extreme(found: readonly Numbered[], timeOf: (finding: Finding) => string | null, sign: 1 | -1): string | null {
  const times = found.flatMap(({ finding }) => timeOf(finding)?.replace(/Z$/, '') ?? []).sort();
  const time = sign < 0 ? times[0] : times.at(-1);
  return time === undefined ? null : `${time}Z`;
}

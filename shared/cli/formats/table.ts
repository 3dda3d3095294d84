import type { AnalyzedLog, RunContext } from '../report.ts';
import { findingsTable } from './findings-table.ts';
import { logReport } from './log-report.ts';
import { bold, type Style } from './style.ts';
import { mostReports, summary } from './summary.ts';
import type { Writer } from './writer.ts';

/** Findings that the summary need not repeat, as they are still in sight. */
const inSight = 25;

/** For people: what each of few logs has, or what was found in all of many, and the summary of the run. */
export function tableWriter(
  { rules }: RunContext,
  place: { readonly width: number; readonly style: Style },
  isQuiet: boolean,
): Writer {
  const logs: AnalyzedLog[] = [];
  return {
    begin: () => [],
    add: (log) => {
      if (logs.length <= mostReports) logs.push(log);
      return [];
    },
    end: (run) => {
      const findings = run.totals.findings();
      const reports =
        logs.length <= mostReports
          ? logs.map((log) => logReport(log, rules, place))
          : findings.length > 0
            ? [[place.style(bold, 'Findings'), ...findingsTable(findings, place)]]
            : [];
      const withRules = findings.length > inSight;
      if (run.analyzed === 0 && !run.isInterrupted) return [];
      const blocks = isQuiet ? reports : [...reports, summary(run, place, { withRules })];
      return [blocks.map((lines) => `${lines.join('\n')}\n`).join('\n')];
    },
    notes: () => [],
  };
}

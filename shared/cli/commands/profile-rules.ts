import { analyze, joinCosts, type Rule, type RuleCost } from '@svc/engine';
import type { ProfileRulesCommand } from '../arguments.ts';
import { asFileError, FileError } from '../file-error.ts';
import { type ProfiledRule, type RuleProfileReport, ruleProfileText } from '../formats/rule-profile.ts';
import { findInputs } from '../inputs/find-inputs.ts';
import { openInput } from '../inputs/open-input.ts';
import { spoolOf } from '../inputs/spool.ts';
import { watchInterruption } from '../interruption.ts';
import { rulesFrom } from '../read-rules.ts';
import type { Terminal } from '../terminal.ts';

/** Tells what each rule costs over logs, and how often it matches; resolves to the exit code. */
export async function profileRules(command: ProfileRulesCommand, terminal: Terminal): Promise<number> {
  const { rules } = await rulesFrom(command.rules, command.placeholders);
  const interruption = watchInterruption();
  const spool = spoolOf(terminal.input);
  try {
    const found = await findInputs(command.paths, () => spool.fill(interruption.signal));
    for (const { message } of found.failures) terminal.err(`svc: ${message}\n`);
    const begun = performance.now();
    let events = 0;
    const costs: (readonly RuleCost[])[] = [];
    for (const input of found.inputs) {
      const opened = await openInput(input);
      try {
        for (const log of opened.logs) {
          const { logType } = command;
          const asked = { rules, logType, maxSamples: 1, costs: { oneIn: 1 } };
          const analysis = await analyze(log.source, { ...asked, now: log.modified, signal: interruption.signal });
          events += analysis.events;
          costs.push(analysis.costs ?? []);
        }
      } catch (error) {
        if (interruption.signal.aborted) throw error;
        throw asFileError(input.name, error);
      } finally {
        await opened.close();
      }
    }
    if (events === 0) throw new FileError('no record was read, so no rule was held against any');
    const report = reportOf(rules.rules, joinCosts(costs), { events, ms: performance.now() - begun });
    terminal.out(
      command.format === 'json'
        ? `${JSON.stringify(report, null, 2)}\n`
        : ruleProfileText(report, command.top, terminal),
    );
    return found.failures.length > 0 ? 2 : 0;
  } catch (error) {
    const exitCode = interruption.exitCode();
    if (exitCode !== undefined) return exitCode;
    throw error;
  } finally {
    await spool.remove();
    interruption.close();
  }
}

function reportOf(
  rules: readonly Rule[],
  costs: readonly RuleCost[],
  { events, ms }: { readonly events: number; readonly ms: number },
): RuleProfileReport {
  const rulesMs = costs.reduce((sum, cost) => sum + cost.ms, 0);
  const byPlace = new Map(costs.map(({ rule, ...cost }) => [rule, cost]));
  const profiled = rules.map(({ id, title, level }, place): ProfiledRule => {
    const cost = byPlace.get(place) ?? { tries: 0, hits: 0, ms: 0 };
    return { rule_id: id, title, level, ...cost, share: rulesMs === 0 ? 0 : cost.ms / rulesMs };
  });
  return { events, ms, rules_ms: rulesMs, rules: profiled.sort((a, b) => b.ms - a.ms || b.tries - a.tries) };
}

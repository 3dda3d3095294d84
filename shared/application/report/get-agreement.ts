import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { builtInEngine, engineDifferences, type Actor, type TaskResult } from '@svc/domain';
import { ruleTraits, type RuleTraits } from '@svc/engine';
import { toTaskState } from '../jobs/job-row.ts';
import { visibleJob } from '../jobs/visible-job.ts';
import type { Ports } from '../ports/ports.ts';
import { compareEngines, type ComparedFinding, type ComparedRule } from './agreement/compare-engines.ts';

type Answer = OutputOf<typeof operations.getAgreement>;
type Engine = Answer['engines'][number];

/** More than engines tell of; what is over is that of broken output. */
const mostFindings = 5000;

/** What each engine of a job found, side by side, of the engines that came to their end. */
export async function getAgreement(
  { findings, jobViews }: Pick<Ports, 'findings' | 'jobViews'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getAgreement>,
): Promise<Answer> {
  await visibleJob({ jobViews }, actor, id);
  const engines = enginesOf(await jobViews.tasks(id), actor);
  const names = engines.filter(({ compared }) => compared).map(({ tool }) => tool);
  if (names.length < 2) return { engines, rules: [] };
  const found = (await findings.ofEngines(id)).slice(0, mostFindings).filter(({ engine }) => names.includes(engine));
  const ids = found.map((one) => one.id);
  const [events, sources] = await Promise.all([findings.eventsOf(ids), findings.ruleSources(ids)]);
  const traits = traitsOf(sources);
  const known = found.map((one): ComparedFinding => ({
    ...one,
    id: one.listedAs,
    events: events.get(one.id) ?? [],
    traits: traits.get(one.id) ?? null,
  }));
  const rules = compareEngines(names, builtInEngine, known);
  return {
    engines: engines.map((engine) => ({ ...engine, ...figuresOf(names.indexOf(engine.tool), rules) })),
    rules: rules.map((rule) => toRule(rule, engines, names)),
  };
}

/** An engine for all its tasks: compared when one of them came to its end. */
function enginesOf(tasks: readonly TaskResult[], actor: Actor): Engine[] {
  return [...new Set(tasks.map(({ engine }) => engine))].map((tool) => {
    const own = tasks.filter(({ engine }) => engine === tool);
    const done = own.find(({ status }) => status === 'completed');
    const { status, error } = toTaskState(done ?? own[0]!, actor);
    return { tool, status, error, compared: done !== undefined, rules: 0, only: 0, matches: 0 };
  });
}

/** Of each text once: several engines have the same. */
function traitsOf(sources: ReadonlyMap<number, string>): Map<number, RuleTraits | null> {
  const read = new Map<string, RuleTraits | null>();
  for (const source of sources.values()) if (!read.has(source)) read.set(source, ruleTraits(source));
  return new Map([...sources].map(([id, source]) => [id, read.get(source) ?? null]));
}

function figuresOf(at: number, rules: readonly ComparedRule[]): Pick<Engine, 'rules' | 'only' | 'matches'> {
  const own = rules.filter(({ found }) => (found[at] ?? null) !== null);
  return {
    rules: own.length,
    only: own.filter(({ found }) => found.every((cell, other) => other === at || cell === null)).length,
    matches: own.reduce((sum, { found }) => sum + (found[at]?.count ?? 0), 0),
  };
}

function toRule(rule: ComparedRule, engines: readonly Engine[], names: readonly string[]): Answer['rules'][number] {
  const { ruleId, ruleName, severity, found, agreement, records, causes } = rule;
  return {
    rule_id: ruleId,
    rule_name: ruleName,
    severity,
    found: engines.map(({ tool }) => {
      const cell = found[names.indexOf(tool)] ?? null;
      return cell && { findings: [...cell.findings], count: cell.count, severity: cell.severity };
    }),
    agreement,
    records: records && { known: records.known, in_common: records.inCommon, complete: records.complete },
    causes: causes.map(({ engine, difference, certain }) => ({
      tool: engine,
      ...engineDifferences[difference],
      certain,
    })),
  };
}

import { mostHosts, otherTactic, tacticGroups, type TacticGroup } from '@svc/domain';
import {
  type Analysis,
  type Finding,
  type ProcessNode,
  type ReadProblem,
  reportingOf,
  type RuleSet,
} from '@svc/engine';
import type { DerivedOutput } from '../../ports/detection-engine.ts';
import type { NewFinding } from '../new-finding.ts';

/** Compiled rules, and the tactic that the matches of each are shown under: of rules, and behind them of correlations. */
export interface GroupedRules {
  readonly rules: RuleSet;
  readonly tactics: readonly TacticGroup[];
}

export function grouped(rules: RuleSet): GroupedRules {
  return { rules, tactics: tacticGroups(reportingOf(rules)) };
}

/** A finding of the built-in engine as it is kept. */
export function toNewFinding({ author, first, last, computers, samples, ...finding }: Finding): NewFinding {
  const hosts = computers.length > mostHosts ? null : [...computers].sort();
  return { ...finding, ruleAuthor: author, firstSeen: first, lastSeen: last, hosts, events: samples };
}

const keyOf = (id: string | null, name: string): string => `${id}\u0000${name}`;

/** What was derived, with findings named by their places instead of rules by theirs; null where nothing was. */
export function toDerivedOutput(
  { derived, census, findings }: Pick<Analysis, 'derived' | 'census' | 'findings'>,
  { rules, tactics }: GroupedRules,
): DerivedOutput | null {
  if (derived === null) return null;
  const places = new Map(findings.map(({ ruleId, ruleName }, place) => [keyOf(ruleId, ruleName), place]));
  const placeOf = reportingOf(rules).map(({ id, title }) => places.get(keyOf(id, title)) ?? -1);
  const ofFinding = findings.map((): TacticGroup => otherTactic);
  for (const [rule, place] of placeOf.entries()) if (place >= 0) ofFinding[place] = tactics[rule]!;
  const markers = derived.alerts.markers.map((marker) => ({ ...marker, rule: placeOf[marker.rule]! }));
  const processes = { ...derived.processes, roots: withPlaces(derived.processes.roots, placeOf) };
  const alerts = { ...derived.alerts, markers };
  const linked = derived.intel.findings.map(({ rule, entities }) => ({ rule: placeOf[rule]!, entities }));
  const intel = { ...derived.intel, findings: linked.filter(({ rule }) => rule >= 0) };
  return { ...derived, alerts, processes, tactics: ofFinding, intel, ...(census && { census }) };
}

function withPlaces(nodes: readonly ProcessNode[], placeOf: readonly number[]): ProcessNode[] {
  return nodes.map((node) => ({
    ...node,
    rules: node.rules.map((rule) => placeOf[rule]!),
    children: withPlaces(node.children, placeOf),
  }));
}

/** Damage met in a log, in a sentence. */
export function toWarning({ message, count, offset }: ReadProblem): string {
  return count === 1 ? `${message} (at byte ${offset})` : `${message} (${count} times, first at byte ${offset})`;
}

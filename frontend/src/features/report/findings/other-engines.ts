import type { FindingRow } from '@svc/contracts';
import { ruleGroups } from '@svc/domain';
import { createContext, useContext } from 'react';

/** Which engines found the rule of a finding. */
export interface FoundBy {
  /** The one first whose finding it is. */
  readonly engines: readonly string[];
  /** Findings of other engines by the same rule: of jobs that still run, and of those in which each is listed by itself. */
  readonly others: readonly FindingRow[];
}

/** By finding; null where one engine found all. */
export type OtherEngines = ReadonlyMap<number, FoundBy> | null;

export function otherEngines(findings: readonly FindingRow[]): OtherEngines {
  const first = findings[0]?.tool;
  if (findings.every(({ tool, found_by: several }) => several === undefined && tool === first)) return null;
  const known = findings.map((row) => ({ engine: row.tool, ruleId: row.rule_id, ruleName: row.rule_name, row }));
  return new Map(
    ruleGroups(known).flatMap((group) =>
      group.map(({ row }) => {
        const others = group.flatMap((one) => (one.engine === row.tool ? [] : one.row));
        const engines = new Set([row.tool, ...(row.found_by ?? []), ...others.map(({ tool }) => tool)]);
        return [row.id, { engines: [...engines], others }] as const;
      }),
    ),
  );
}

const OtherEnginesContext = createContext<OtherEngines>(null);
export const OtherEnginesProvider = OtherEnginesContext.Provider;

/** Which engines found the rule of a finding; null where there are none to tell apart. */
export function useFoundBy(findingId: number): FoundBy | null {
  return useContext(OtherEnginesContext)?.get(findingId) ?? null;
}

/** Whether several engines found what is listed. */
export function useHasSeveralEngines(): boolean {
  return useContext(OtherEnginesContext) !== null;
}

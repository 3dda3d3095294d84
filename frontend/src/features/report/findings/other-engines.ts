import type { FindingRow } from '@svc/contracts';
import { ruleGroups } from '@svc/domain';
import { createContext, useContext } from 'react';

/** For each finding of a job with several engines what others found by the same rule; null where one engine found all. */
export type OtherEngines = ReadonlyMap<number, readonly FindingRow[]> | null;

export function otherEngines(findings: readonly FindingRow[]): OtherEngines {
  if (findings.every(({ tool }) => tool === findings[0]?.tool)) return null;
  const known = findings.map((row) => ({ engine: row.tool, ruleId: row.rule_id, ruleName: row.rule_name, row }));
  return new Map(
    ruleGroups(known).flatMap((group) =>
      group.map(({ row }) => [row.id, group.flatMap((one) => (one.engine === row.tool ? [] : one.row))] as const),
    ),
  );
}

const OtherEnginesContext = createContext<OtherEngines>(null);
export const OtherEnginesProvider = OtherEnginesContext.Provider;

/** What other engines found by the rule of a finding; null where there are none to tell apart. */
export function useOtherEngines(findingId: number): readonly FindingRow[] | null {
  return useContext(OtherEnginesContext)?.get(findingId) ?? null;
}

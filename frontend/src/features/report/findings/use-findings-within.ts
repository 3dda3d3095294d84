import type { FindingRow } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { markersQuery, useReport } from '../../../api/report-source.ts';
import { timeWindow, type ViewChange } from '../job-view.ts';
import { findingsWithin } from './count-matches.ts';

/** The findings with matches in a window of time and on a computer, with the counts of those (`findingsWithin`). */
export function useFindingsWithin(
  findings: readonly FindingRow[],
  { from, to, host }: Pick<ViewChange, 'from' | 'to' | 'host'>,
): readonly FindingRow[] {
  const report = useReport();
  const window = useMemo(() => timeWindow({ from, to }), [from, to]);
  const isNarrowed = window !== null || host !== undefined;
  const { data } = useQuery({ ...markersQuery(report), enabled: isNarrowed });
  return useMemo(
    () => (isNarrowed ? findingsWithin(findings, { window, host }, data) : findings),
    [findings, isNarrowed, window, host, data],
  );
}

import type { FindingRow, FindingsNaming } from '@svc/contracts';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { namingQuery, useReport } from '../../../api/report-source.ts';
import type { DoorValue } from '../../../ui/door-value.ts';
import { readValue, type JobView } from '../job-view.ts';
import { hasTechnique } from './narrow-findings.ts';

/** Findings by how many of their kept events name a value. */
type Named = ReadonlyMap<number, FindingsNaming['findings'][number]>;

/**
 * The findings that name all values that are asked for, and of those that are kept out not one in every kept event. Until
 * it is known which do, all stay.
 */
export function useFindingsNaming(
  findings: readonly FindingRow[],
  { only, not }: Pick<JobView, 'only' | 'not'>,
): readonly FindingRow[] {
  const report = useReport();
  const values = useMemo(() => [...(only ?? []), ...(not ?? [])].flatMap((one) => readValue(one) ?? []), [only, not]);
  const asked = values.filter(({ kind }) => !isOfRule(kind)).map(({ value }) => value);
  const named = useQueries({
    queries: asked.map((value) => namingQuery(report, value)),
    combine: (answers) =>
      new Map<string, Named>(
        answers.flatMap(({ data }, place) =>
          data === undefined ? [] : [[asked[place]!, new Map(data.findings.map((one) => [one.id, one]))] as const],
        ),
      ),
  });
  return useMemo(() => {
    if (values.length === 0) return findings;
    const isKept = (finding: FindingRow, written: string, how: 'only' | 'not'): boolean =>
      keeps(finding, readValue(written)!, { how, named });
    return findings.filter(
      (finding) =>
        (only ?? []).every((one) => isKept(finding, one, 'only')) &&
        (not ?? []).every((one) => isKept(finding, one, 'not')),
    );
  }, [findings, values, only, not, named]);
}

function isOfRule(kind: DoorValue['kind']): boolean {
  return kind === 'rule' || kind === 'technique';
}

/** Whether one value lets a finding through. */
export function keeps(
  finding: FindingRow,
  { kind, value }: DoorValue,
  { how, named }: { readonly how: 'only' | 'not'; readonly named: ReadonlyMap<string, Named> },
): boolean {
  if (isOfRule(kind)) {
    const has = kind === 'technique' ? hasTechnique(finding, value) : isRule(finding, value);
    return has === (how === 'only');
  }
  const found = named.get(value);
  if (found === undefined) return true;
  const one = found.get(finding.id);
  return how === 'only' ? one !== undefined : one === undefined || one.events < one.kept;
}

function isRule({ rule_name: name, rule_id: id }: FindingRow, value: string): boolean {
  return [name, id].some((one) => one?.toLowerCase() === value.toLowerCase());
}

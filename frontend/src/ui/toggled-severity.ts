import { severities, type Severity } from '@svc/domain';

/** The severities that are shown after one of them was clicked; none of them is all. */
export function toggledSeverity(
  chosen: readonly Severity[] | undefined = [],
  severity: Severity,
): readonly Severity[] | undefined {
  const next = severities.filter((one) => chosen.includes(one) !== (one === severity));
  return next.length === 0 ? undefined : next;
}

import type { CaseDetails } from '@svc/contracts';

/** What is said of the case, and what stands out in its jobs. */
export function CaseOverview({ of }: { of: CaseDetails }) {
  return <p>{of.summary ?? 'Nobody has written a summary yet.'}</p>;
}

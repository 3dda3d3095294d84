import type { Finding, Sample } from '@svc/engine';
import type { AnalyzedLog } from '../report.ts';

/** One matched event and the rule that it matched. */
export interface Match {
  readonly finding: Finding;
  readonly sample: Sample;
}

/** The matched events of a log in order of time, undated ones last; of equal times the worst first. */
export function matchesOf({ analysis }: AnalyzedLog): Match[] {
  const matches = analysis.findings.flatMap((finding) => finding.samples.map((sample) => ({ finding, sample })));
  // Times end in Z, which would sort a whole second behind its fractions; ~ comes after all digits.
  const key = ({ sample }: Match): string => sample.timestamp?.slice(0, -1) ?? '~';
  return matches.sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
}

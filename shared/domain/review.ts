/** What somebody has decided about a finding; a finding that nobody has looked at is new. */
export const reviewStates = ['new', 'reviewed', 'benign', 'escalated'] as const;
export type ReviewState = (typeof reviewStates)[number];

/** Longest note in characters, and how many findings are decided about at once. */
export const reviewLimits = { note: 2000, findings: 1000 } as const;

/** Longest name of a host that a decision is remembered for. */
export const longestHost = 255;

/** An account, as pages name it. */
export interface Reviewer {
  readonly id: string;
  readonly name: string;
}

/** The decision about a rule's finding in a job; it stays when the job is analysed again. */
export interface FindingReview {
  readonly findingId: number;
  readonly state: ReviewState;
  readonly note: string;
  readonly assignee: Reviewer | null;
  /** Who decided last, null when the account is gone. */
  readonly by: Reviewer | null;
  readonly at: Date;
  /** It is to hold for the same rule on the same hosts in later jobs of who decided. */
  readonly isRemembered: boolean;
  /** Nobody decided here: it was remembered. */
  readonly isFromEarlier: boolean;
}

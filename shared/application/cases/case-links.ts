import type { CaseLinkKind } from '@svc/domain';

/** Something that is or comes into a case, by its number. */
export interface CaseTarget {
  readonly kind: CaseLinkKind;
  readonly id: number;
}

export interface NewCaseLinks {
  readonly kind: CaseLinkKind;
  readonly ids: readonly number[];
  /** Account id; null for the service itself. */
  readonly by: string | null;
  readonly at: Date;
  /** Replaces the note of what is in the case already; null leaves it. */
  readonly note: string | null;
}

/** What is in a case. All of it is part of a transaction that holds the case, and that counts as a change of it. */
export interface CaseLinks {
  /** Puts in things that the transaction holds; how many were not there before. */
  add(caseId: number, links: NewCaseLinks): Promise<number>;
  /** Who has put it in; null when it is not in the case. */
  get(caseId: number, target: CaseTarget): Promise<{ readonly addedBy: string | null } | null>;
  note(caseId: number, target: CaseTarget, change: { readonly note: string | null; readonly at: Date }): Promise<void>;
  /** Takes out those that are in it. */
  remove(
    caseId: number,
    links: { readonly kind: CaseLinkKind; readonly ids: readonly number[]; readonly at: Date },
  ): Promise<void>;
  /** Entities that these jobs name and the case lacks: of each job those that most events name, and how many there are. */
  missing(
    caseId: number,
    jobIds: readonly number[],
    mostOfEach: number,
  ): Promise<{ readonly entityIds: readonly number[]; readonly total: number }>;
}

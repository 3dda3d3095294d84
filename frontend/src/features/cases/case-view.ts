/** Tabs of a case, in their order. */
export const caseTabs = ['overview', 'entities', 'jobs', 'discussion'] as const;
export type CaseTab = (typeof caseTabs)[number];

/** State of a case's page in its address. */
export interface CaseView {
  readonly view?: Exclude<CaseTab, 'overview'>;
  /** What is shown is narrowed to this job. */
  readonly job?: number;
  /** The comment that a link leads to. */
  readonly comment?: number;
}

/** Reads the address; values that make no sense are dropped. */
export function caseView(search: Record<string, unknown>): CaseView {
  const view = caseTabs.find((tab) => tab === search['view']);
  const number = (name: 'job' | 'comment') => {
    const value = Number(search[name] ?? Number.NaN);
    return Number.isSafeInteger(value) && value >= 1 && { [name]: value };
  };
  return { ...(view !== undefined && view !== 'overview' && { view }), ...number('job'), ...number('comment') };
}

export const entityTabs = ['overview', 'findings', 'relationships'] as const;
export type EntityTab = (typeof entityTabs)[number];

/** State of an entity's page in its address. */
export interface EntityView {
  readonly view?: Exclude<EntityTab, 'overview'>;
  /** What is shown is narrowed to this job. */
  readonly job?: number;
  readonly page?: number;
}

/** Reads the address; values that make no sense are dropped. */
export function entityView(search: Record<string, unknown>): EntityView {
  const view = entityTabs.find((tab) => tab === search['view']);
  const [job, page] = [Number(search['job']), Number(search['page'])];
  return {
    ...(view !== undefined && view !== 'overview' && { view }),
    ...(Number.isSafeInteger(job) && job > 0 && { job }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  };
}

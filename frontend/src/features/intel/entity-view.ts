export const entityTabs = [
  'overview',
  'findings',
  'relationships',
  'mitre',
  'processes',
  'graph',
  'discussion',
] as const;
export type EntityTab = (typeof entityTabs)[number];

/** State of an entity's page in its address. */
export interface EntityView {
  readonly view?: Exclude<EntityTab, 'overview'>;
  /** What is shown is narrowed to this job; 0 shows all where the page would open on the only one. */
  readonly job?: number;
  readonly page?: number;
  /** Relationships of these types alone, with commas between them. */
  readonly kinds?: string;
  /** Those that events show then, in milliseconds. */
  readonly from?: number;
  readonly to?: number;
  /** The comment that a link leads to. */
  readonly comment?: number;
  /** Steps from the entity in its graph. */
  readonly hops?: number;
  /** Jobs and findings are those of all that is the same. */
  readonly aliases?: true;
}

/** Reads the address; values that make no sense are dropped. */
export function entityView(search: Record<string, unknown>): EntityView {
  const view = entityTabs.find((tab) => tab === search['view']);
  const kinds = search['kinds'];
  const number = (name: 'job' | 'page' | 'from' | 'to' | 'comment', least: number) => {
    const value = Number(search[name] ?? Number.NaN);
    return Number.isSafeInteger(value) && value >= least && { [name]: value };
  };
  const hops = Number(search['hops']);
  return {
    ...(view !== undefined && view !== 'overview' && { view }),
    ...number('job', 0),
    ...number('page', 2),
    ...number('from', 0),
    ...number('to', 0),
    ...number('comment', 1),
    ...(search['aliases'] === true && { aliases: true }),
    ...((hops === 2 || hops === 3) && { hops }),
    ...(typeof kinds === 'string' && /^[a-z_,]+$/.test(kinds) && { kinds }),
  };
}

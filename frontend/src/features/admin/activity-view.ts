import { activityCategories, activityOutcomes, type ActivityCategory, type ActivityOutcome } from '@svc/domain';

export const activityRanges = ['24h', '7d', '30d', '90d'] as const;
export type ActivityRange = (typeof activityRanges)[number];

/** State of the activity log's page in its address: what the list is narrowed by. */
export interface ActivityView {
  readonly category?: ActivityCategory;
  readonly outcome?: ActivityOutcome;
  readonly range?: ActivityRange;
  readonly action?: string;
  readonly actor?: string;
  readonly target?: string;
  readonly q?: string;
  readonly page?: number;
}

/** Reads the address; values that make no sense are dropped. */
export function activityView(search: Readonly<Record<string, unknown>>): ActivityView {
  const one = <T extends string>(name: string, values: readonly T[]) => {
    const found = values.find((value) => value === search[name]);
    return found !== undefined && { [name]: found };
  };
  const text = (name: string) => {
    const value = search[name];
    const said = typeof value === 'number' ? String(value) : value;
    return typeof said === 'string' && said !== '' && { [name]: said.slice(0, 200) };
  };
  const page = Number(search['page']);
  return {
    ...one('category', activityCategories),
    ...one('outcome', activityOutcomes),
    ...one('range', activityRanges),
    ...text('action'),
    ...text('actor'),
    ...text('target'),
    ...text('q'),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  };
}

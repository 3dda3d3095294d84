export const pageSizes = [20, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];

export const densities = ['compact', 'roomy'] as const;
export type Density = (typeof densities)[number];

/** State of the jobs list in its address; what is absent is as the visitor last had it. */
export interface JobsView {
  readonly page?: number;
  readonly per?: PageSize;
  readonly view?: Density;
}

/** Reads the address; values that make no sense are dropped. */
export function jobsView(search: Record<string, unknown>): JobsView {
  const page = Number(search['page']);
  const per = pageSizes.find((size) => size === Number(search['per']));
  const view = densities.find((density) => density === search['view']);
  return {
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
    ...(per && { per }),
    ...(view && { view }),
  };
}

const KEPT = 'svc-jobs-view';

/** The view with its gaps filled from what the visitor last chose, then from the defaults. */
export function completed(view: JobsView, kept: JobsView = keptView()): Required<JobsView> {
  return { page: view.page ?? 1, per: view.per ?? kept.per ?? 20, view: view.view ?? kept.view ?? 'compact' };
}

/** Keeps page size and density for the next visit. */
export function keepView({ per, view }: JobsView): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ per, view }));
  } catch {
    // Storage is switched off: the choice lasts as long as the address.
  }
}

function keptView(): JobsView {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '{}');
    return typeof kept === 'object' && kept !== null ? jobsView(kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

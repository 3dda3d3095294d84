import { caseStatuses, type CaseStatus } from '@svc/domain';

export const caseOrders = ['updated', 'severity', 'findings', 'name'] as const;
export type CaseOrder = (typeof caseOrders)[number];

/** State of the list of cases in its address. */
export interface CasesView {
  readonly q?: string;
  /** Of these alone; without, all that are not closed. */
  readonly status?: CaseStatus | 'all';
  readonly sort?: Exclude<CaseOrder, 'updated'>;
  readonly page?: number;
  readonly cursor?: string;
}

/** Reads the address; values that make no sense are dropped. */
export function casesView(search: Record<string, unknown>): CasesView {
  const q = typeof search['q'] === 'string' ? search['q'] : '';
  const status = ([...caseStatuses, 'all'] as const).find((one) => one === search['status']);
  const sort = caseOrders.find((one) => one === search['sort']);
  const [page, cursor] = [Number(search['page']), search['cursor']];
  return {
    ...(q !== '' && { q }),
    ...(status !== undefined && { status }),
    ...(sort !== undefined && sort !== 'updated' && { sort }),
    ...(Number.isSafeInteger(page) && page > 1 && { page, ...(typeof cursor === 'string' && { cursor }) }),
  };
}

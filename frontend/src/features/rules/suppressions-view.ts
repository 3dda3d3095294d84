/** State of the page of suppressions in its address. */
export interface SuppressionsView {
  /** Those of a case. @default of the instance */
  readonly case?: number;
}

/** Reads the address; values that make no sense are dropped. */
export function suppressionsView(search: Record<string, unknown>): SuppressionsView {
  const id = Number(search['case']);
  return Number.isSafeInteger(id) && id > 0 ? { case: id } : {};
}

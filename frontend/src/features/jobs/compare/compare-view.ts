/** State of the page that compares two jobs, in its address. */
export interface CompareView {
  readonly a?: number;
  readonly b?: number;
  /** What of the rules is shown, other than all. */
  readonly show?: (typeof comparedParts)[number];
}

export const comparedParts = ['a', 'b', 'both'] as const;

/** Reads the address; values that make no sense are dropped. */
export function compareView(search: Record<string, unknown>): CompareView {
  const [a, b] = [search['a'], search['b']].map((one) => {
    const id = Number(one);
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  });
  const show = comparedParts.find((part) => part === search['show']);
  return { ...(a !== undefined && { a }), ...(b !== undefined && { b }), ...(show && { show }) };
}

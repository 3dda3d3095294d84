export interface LoginView {
  /** Where to go once signed in; a path of this site. */
  readonly next?: string;
}

/** Search parameters of the sign-in page; an address of another site is dropped. */
export function loginView(search: Record<string, unknown>): LoginView {
  const { next } = search;
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {};
}

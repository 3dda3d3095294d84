export interface LoginView {
  /** Where to go once signed in; a path of this site. */
  readonly next?: string;
  /** The password was just changed, which ended the session. */
  readonly changed?: true;
}

/** Search parameters of the sign-in page; an address of another site is dropped. */
export function loginView(search: Record<string, unknown>): LoginView {
  const { next, changed } = search;
  return {
    ...(typeof next === 'string' && /^\/(?![/\\])/.test(next) && { next }),
    ...((changed === 'true' || changed === true) && { changed: true as const }),
  };
}

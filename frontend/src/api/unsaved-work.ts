const works = new Set<() => boolean>();

/** Tells of work that only this window has; `isThere` says whether there is some just now. */
export function keepInMind(isThere: () => boolean): void {
  works.add(isThere);
}

/** Whether loading the page anew would lose something: a report made here, files not yet sent, words not yet saved. */
export function hasUnsavedWork(): boolean {
  return (
    [...works].some((isThere) => isThere()) ||
    [...document.querySelectorAll('textarea')].some(({ value }) => value !== '')
  );
}

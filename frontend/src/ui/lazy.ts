import { createElement, use, type ComponentType, type ReactElement } from 'react';

/** A part of the page that could not be fetched: the connection is lost, or a new release has taken it away. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';

  constructor(cause: unknown) {
    super('This part of the page could not be fetched.', { cause });
  }
}

export type LazyPart<P> = ((props: P) => ReactElement) & {
  /** Fetches it before it is shown; a failure stays without consequence. */
  readonly preload: () => Promise<void>;
};

const missing = new Set<() => void>();

/** Has parts that could not be fetched be asked for once more when they are next shown. */
export function askAgainForParts(): void {
  for (const forget of missing) forget();
  missing.clear();
}

/**
 * A component that is fetched when it is first shown, like React's `lazy`. Where that fails it throws
 * `PartMissing`, and unlike React's it can be tried again: the page need not be loaded anew for it.
 */
export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): LazyPart<P> {
  let part: ComponentType<P> | undefined;
  let coming: Promise<ComponentType<P>> | undefined;
  const forget = (): void => {
    coming = undefined;
  };
  const ask = (): Promise<ComponentType<P>> =>
    (coming ??= load().then(
      (loaded) => (part = loaded.default),
      (cause: unknown) => {
        missing.add(forget);
        throw new PartMissing(cause);
      },
    ));
  const Part = (props: P) => createElement(part ?? use(ask()), props);
  return Object.assign(Part, {
    preload: async () => {
      await ask().catch(forget);
    },
  });
}

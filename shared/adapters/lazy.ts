/** What can be called before it is there: every member is a function that gives a promise. */
type Asynchronous<T> = { readonly [K in keyof T]: (...args: never[]) => Promise<unknown> };

export interface Lazy<T> {
  /** Opens at the first call of any of its members. */
  readonly port: T;
  /** What was opened, if anything has asked for it. */
  readonly opened: () => Promise<T | undefined>;
}

/**
 * Something whose opening loads code, as the SDKs of AWS, and so waits for the first use: who does without it never
 * waits for it. An opening that failed is tried again by the next call.
 */
export function lazy<T extends Asynchronous<T>>(open: () => Promise<T>): Lazy<T> {
  let opening: Promise<T> | undefined;
  const opened = (): Promise<T> =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  const members = new Map<string | symbol, unknown>();
  const port = new Proxy({} as T, {
    get(_, name) {
      // A port is no promise, which whoever returns it from an async function looks for.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      const known = members.get(name);
      if (known !== undefined) return known;
      const member = async (...args: never[]): Promise<unknown> => (await opened())[name as keyof T](...args);
      members.set(name, member);
      return member;
    },
  });
  return { port, opened: async () => opening };
}

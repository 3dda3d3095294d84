import { DrizzleQueryError } from 'drizzle-orm/errors';

/** Whether a statement failed because a unique index holds the value already. */
export function isUniqueViolation(error: unknown): boolean {
  const reason = reasonOf(error);
  return reason instanceof Error && 'code' in reason && reason.code === '23505';
}

/** What the database said, out of drizzle's wrapping, which repeats the parameters of the statement. */
export function reasonOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}

/** The same repository, whose methods reject with what the database said. */
export function unwrapping<T extends object>(repository: T): T {
  return new Proxy(repository, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return await (Reflect.apply(member, target, args) as unknown);
        } catch (error) {
          throw reasonOf(error);
        }
      };
    },
  });
}

import { AppError } from '@svc/domain';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { DatabaseError } from 'pg';

/** A statement that the database refused; `code` is PostgreSQL's (23505: not unique). */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  readonly code: string | null;
  readonly constraint: string | null;

  constructor({ message, code, constraint }: { message: string; code: string | null; constraint: string | null }) {
    // Of a value that does not fit, PostgreSQL repeats it: data of users, which belongs in no log.
    super(code?.startsWith('22') ? message.replace(/"[^]*"/, '"…"') : message);
    this.code = code;
    this.constraint = constraint;
  }
}

/** Connection lost, undone for the sake of another transaction, out of resources, server stopping, read-only standby. */
const passing = /^(08|40|53|57P|25006)/;

/**
 * What went wrong with a PostgreSQL server, as repositories expect it: a statement that it refused, or
 * `unavailable` for what another try later may mend.
 */
export function serverFailure(error: unknown): unknown {
  // A mistake of the program, found before anything was sent.
  if (error instanceof TypeError || error instanceof AppError) return error;
  if (error instanceof DatabaseError && !passing.test(error.code ?? '')) {
    const { message, code, constraint } = error;
    return new StatementError({ message, code: code ?? null, constraint: constraint ?? null });
  }
  return new AppError('unavailable', 'The database does not answer; try again shortly', { cause: error });
}

/** The same for a statement that the embedded database refused. */
export function embeddedFailure(error: ConstructorParameters<typeof StatementError>[0]): Error {
  const failure = new StatementError(error);
  if (!passing.test(error.code ?? '')) return failure;
  return new AppError('unavailable', 'The database cannot write; the disk of the service may be full', {
    cause: failure,
  });
}

/** Whether the connection on which this failed can do no more, not even roll back. */
export function isBroken(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|57P)/.test(error.code ?? '');
}

/** Whether a statement failed because a unique index holds the value already. */
export function isUniqueViolation(error: unknown): boolean {
  const reason = reasonOf(error);
  return reason instanceof StatementError && reason.code === '23505';
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

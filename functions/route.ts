import type { SpooledFile } from '@svc/application/submissions/spool-upload.ts';
import { operations, type Area, type InputOf, type Operation, type OperationName, type OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { HttpEvent } from './http-event.ts';

/** What a use case gets besides the fields: the stored file, the head of one that is only looked at, or raw bytes. */
type FileOf<O extends Operation> = O extends { file: true }
  ? O extends { bodyLimit: number }
    ? { readonly head: Uint8Array }
    : { readonly file: SpooledFile | null }
  : O extends { raw: true }
    ? { readonly content: AsyncIterable<Uint8Array>; readonly declaredBytes: number }
    : unknown;
export type RouteInput<O extends Operation> = InputOf<O> & FileOf<O>;

/** How a result is sent where its operation's first status alone does not say it. */
export interface Presentation {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** The body of an operation that answers with bytes, few enough for a function to hand over. */
  readonly bytes?: Uint8Array;
  /** A body that is no JSON; where there is no gateway, the answer must lead to the store instead. */
  readonly content?: AsyncIterable<Uint8Array>;
}

export interface Reply extends Presentation {
  readonly output: unknown;
}

/** What routes see of a request beside its input. */
export interface RouteRequest {
  readonly headers: HttpEvent['headers'];
  /** Each as `name=value`. */
  readonly cookies: HttpEvent['cookies'];
  /** Where the client reaches the service, as `https://host`; empty when unknown. */
  readonly origin: string;
  /** Whether cookies are for HTTPS alone. */
  readonly secureCookies: boolean;
  /** Whom it counts as, and who sent it to the service. */
  readonly client: string;
  readonly peer: string;
  /** Whether an answer can be sent while it is made; a function hands over all of it at once. */
  readonly streams: boolean;
}

/** One operation bound to its use case. */
export interface Route {
  readonly name: OperationName;
  readonly operation: Operation;
  run(actor: Actor, input: unknown, request: RouteRequest): Promise<Reply>;
  /**
   * The version under which the answer is kept for all who may have it; null while the answer may still change.
   * Throws as `run` does for a caller who may not have it.
   */
  readonly version?: (actor: Actor, input: unknown) => Promise<string | null>;
}

/** The part of a request that presentations depend on. */
interface Presented<I> {
  readonly input: I;
  readonly headers: HttpEvent['headers'];
  /** Whether cookies are for HTTPS alone. */
  readonly secureCookies: boolean;
}

type ResultOf<O extends Operation> = OutputOf<O> | (O['output'] extends null ? unknown : never);
type UseCase<P, I, R> = (ports: P, actor: Actor, input: I, request: RouteRequest) => Promise<R>;

/** A use case whose result does not say all of how it is sent. */
interface PresentedUseCase<P, I, R> {
  readonly run: UseCase<P, I, R>;
  // Methods, so that rows of any result fit one table.
  present(result: R, request: Presented<I>): Presentation;
  version?(ports: P, actor: Actor, input: I): Promise<string | null>;
}

type Row<O extends Operation> =
  | UseCase<never, RouteInput<O>, ResultOf<O>>
  | (Omit<PresentedUseCase<never, RouteInput<O>, never>, 'run'> & {
      readonly run: UseCase<never, RouteInput<O>, ResultOf<O>>;
    });

type Operations = typeof operations;
export type OperationsOf<A extends Area> = {
  [N in OperationName]: Operations[N]['area'] extends A ? N : never;
}[OperationName];

/** Every operation of an area with its use case: none may be missing and none of another area among them. */
export type TableOf<A extends Area> = { readonly [N in OperationsOf<A>]: Row<Operations[N]> };

/** The ports that a use case asks for. */
export type PortsOf<F extends (ports: never, ...rest: never[]) => unknown> = Parameters<F>[0];

/**
 * A use case together with what `present` makes of its result: the status, headers, or a body that is no JSON.
 * `version` as in `Route`.
 */
export function presented<P, I, R>(
  run: UseCase<P, I, R>,
  present: (result: R, request: Presented<I>) => Presentation,
  version?: (ports: P, actor: Actor, input: I) => Promise<string | null>,
): PresentedUseCase<P, I, R> {
  return { run, present, ...(version && { version }) };
}

/** A use case that does the same for everybody who may call it. */
export function withoutActor<P, I, R>(useCase: (ports: P, input: I) => Promise<R>): UseCase<P, I, R> {
  return (ports, _actor, input) => useCase(ports, input);
}

/** Binds one row of a table to its operation and its ports. */
export function route<N extends OperationName>(name: N, row: Row<Operations[N]>, ports: unknown): Route {
  const { run, present, version } = (typeof row === 'function' ? { run: row } : row) as Partial<
    PresentedUseCase<unknown, unknown, unknown>
  > &
    Pick<PresentedUseCase<unknown, unknown, unknown>, 'run'>;
  return {
    name,
    operation: operations[name],
    run: async (actor, input, request) => {
      const output = await run(ports, actor, input, request);
      const { headers, secureCookies } = request;
      return { output, ...present?.(output, { input, headers, secureCookies }) };
    },
    ...(version && { version: (actor: Actor, input: unknown) => version(ports, actor, input) }),
  };
}

import type { SpooledFile } from '@svc/application/submissions/spool-upload.ts';
import { operations, type InputOf, type Operation, type OperationName, type OutputOf } from '@svc/contracts';
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
interface Presented<O extends Operation> {
  readonly input: RouteInput<O>;
  readonly headers: HttpEvent['headers'];
}

/**
 * Binds a use case to its operation. Its result is the answer's body, or, where the operation has no
 * body, only what `present` makes of it. `version` as in `Route`.
 */
export function route<O extends Operation, R extends OutputOf<O> | (O['output'] extends null ? unknown : never)>(
  operation: O,
  useCase: (actor: Actor, input: RouteInput<O>, request: RouteRequest) => Promise<R>,
  present: (result: R, request: Presented<O>) => Presentation = () => ({}),
  version?: (actor: Actor, input: RouteInput<O>) => Promise<string | null>,
): Route {
  return {
    name: nameOf(operation),
    operation,
    run: async (actor, parsed, request) => {
      // The input was parsed by this very operation's schemas.
      const input = parsed as RouteInput<O>;
      const output = await useCase(actor, input, request);
      return { output, ...present(output, { input, headers: request.headers }) };
    },
    ...(version && { version: (actor: Actor, parsed: unknown) => version(actor, parsed as RouteInput<O>) }),
  };
}

function nameOf(operation: Operation): OperationName {
  const entry = Object.entries(operations).find(([, listed]) => listed === operation);
  if (!entry) throw new Error(`${operation.method} ${operation.path} is not in the operation table`);
  return entry[0] as OperationName;
}

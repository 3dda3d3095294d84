import type { ErrorCode, Role, Scope } from '@svc/domain';
import type { z } from 'zod';
import type { areas } from './areas.ts';

/** Functions are one per area; an operation belongs to exactly one. */
export type Area = (typeof areas)[number];

/** Limits of requests per minute (service 8.1); several operations can share one. `token` is `api` for API tokens only. */
export type RateLimit = 'api' | 'comment' | 'login' | 'preview' | 'resubmit' | 'slot' | 'token' | 'upload';

/**
 * One row of the operation table. Validation, the routers of the functions, the gateway, API
 * Gateway's routes, the typed client and OpenAPI are all loops over it.
 */
export interface Operation {
  readonly area: Area;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` parameters; a last `{name+}` takes the rest, slashes included. */
  readonly path: string;
  /** Another path with the same parameters that is accepted. */
  readonly alias?: string;
  readonly summary: string;
  /** Lowest role that may call; `anyone` includes visitors without an account. */
  readonly access: 'anyone' | Role;
  /** Scope that an API token needs; tokens may not call where there is none. */
  readonly scope?: Scope;
  /** A browser session must have given its password within the last 15 minutes, as signing in does. */
  readonly confirmed?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** JSON or form fields alike. */
  readonly body?: z.ZodType;
  /** What a form must have where JSON may say less; its output fits the body's. */
  readonly form?: z.ZodType;
  /**
   * The body is `multipart/form-data` with exactly one part `file`, streamed to the store. Where the
   * fields have an `upload_id`, it may stand in place of the file, in a body of fields alone.
   */
  readonly file?: true;
  /** The body is a file's bytes and nothing else, streamed. */
  readonly raw?: true;
  /** Takes the header `Idempotency-Key`, which arrives as the field `idempotency_key`. */
  readonly idempotent?: true;
  /** Statuses of success; the first is what a handler's plain result is sent with. */
  readonly success: readonly [number, ...number[]];
  /** Schema of the answer; null when there is no body, or one of bytes. */
  readonly output: z.ZodType | null;
  /** Media type of an answer that is no JSON but bytes. */
  readonly bytes?: string;
  /** Others that it may have. */
  readonly orBytes?: readonly string[];
  /** Refusals of its own, beside those that every operation shares. */
  readonly errors: readonly ErrorCode[];
  /** The limit that its requests count against. */
  readonly limit?: RateLimit;
  /** The answer may be megabytes: of these a process makes a few at a time, and callers take turns. */
  readonly heavy?: true;
  /** For operations that exist only where TAXII is on, answer refusals in its format, and take API tokens alone. */
  readonly taxii?: true;
  /** Takes a bearer token that is none of an account's, which the use case itself looks at. */
  readonly ownToken?: true;
  /** Largest body in bytes; uploads have their own setting. @default 1 MiB */
  readonly bodyLimit?: number;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : unknown;
type Sent<S> = S extends z.ZodType ? z.input<S> : unknown;

/** The key as it was sent, good or not; null without one. */
type Keyed<O extends Operation> = O extends { idempotent: true }
  ? { readonly idempotency_key: string | null }
  : unknown;

/** What a handler gets: params, query and body fields, parsed and merged. */
export type InputOf<O extends Operation> = Parsed<O['params']> & Parsed<O['query']> & Parsed<O['body']> & Keyed<O>;
/** What a client sends, before defaults are filled in. */
export type RequestOf<O extends Operation> = Sent<O['params']> & Sent<O['query']> & Sent<O['body']>;
/** What a handler returns and a client receives. */
export type OutputOf<O extends Operation> = O['output'] extends z.ZodType ? z.output<O['output']> : void;

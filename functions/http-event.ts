import type { UploadLease } from '@svc/application/submissions/upload-lease.ts';
import type { SpooledFile } from '@svc/application/submissions/spool-upload.ts';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';

/** Text fields of a form, by name; a repeated one is a list. */
export type FormFields = Readonly<Record<string, string | string[]>>;

/**
 * The body of a multipart upload that is still on its way. It is read only when the handler asks, so
 * that no byte is taken from a caller who is refused; refusals are `one_file`, `too_large`,
 * `low_space` and `bad_request`, and leave nothing in the store.
 */
export interface IncomingForm {
  /** Streams the one file into the object store under its lease; it then belongs to the caller. Null without one. */
  store(lease: UploadLease): Promise<{ fields: FormFields; file: SpooledFile | null }>;
  /** Keeps the file's first 64 KiB in memory, and stores nothing. */
  peek(): Promise<{ fields: FormFields; head: Uint8Array }>;
}

type RequestContext = APIGatewayProxyEventV2['requestContext'];

/**
 * An API Gateway v2 event. The gateway puts what it alone can know where no client can write: into the
 * request context.
 */
export interface HttpEvent extends APIGatewayProxyEventV2 {
  requestContext: RequestContext & {
    readonly form?: IncomingForm;
    /** The bytes of a raw body, on their way; throws `bad_request` when they end too early. */
    readonly content?: AsyncIterable<Uint8Array>;
    /** Where the client reaches the service, as `https://host`; empty when it did not say. */
    readonly origin?: string;
    /** Who has sent it, where that is somebody who stands for its client. */
    readonly peer?: string;
  };
}

/** An answer; the gateway can also send a body that is made while it goes out. */
export interface HttpResult extends APIGatewayProxyStructuredResultV2 {
  readonly content?: AsyncIterable<Uint8Array>;
}

/** What an area exports: a Lambda handler of API Gateway v2 events. */
export type HttpHandler = (event: HttpEvent, context?: Context) => Promise<HttpResult>;

import { uploadLeaseMs } from '@svc/application/ports/upload-admission.ts';
import { longestUploadMs } from '@svc/application/submissions/upload-pace.ts';
import type { IncomingMessage } from 'node:http';

/** How long clients may take, in milliseconds. */
export interface Patience {
  /** For a body that is read into memory. */
  readonly bodyMs: number;
  /** For an upload of a declared length, which may be hours. */
  readonly uploadMs: (declaredBytes: number) => number;
  /** Without a byte of an upload. */
  readonly silenceMs: number;
  /** Without a sign of life on a connection with a request. */
  readonly idleMs: number;
  /** For the rest of a refused body, so that its sender gets to see the refusal. */
  readonly lingerMs: number;
}

export const usualPatience: Patience = {
  bodyMs: 30_000,
  uploadMs: longestUploadMs,
  silenceMs: uploadLeaseMs,
  idleMs: 120_000,
  lingerMs: 10_000,
};

/** What a timer can count. */
const longestTimerMs = 2 ** 31 - 1;

/** Hangs up on a client whose body does not come in time. */
export function limitTime(request: IncomingMessage, upload: boolean, patience: Patience): void {
  const { bodyMs, uploadMs, silenceMs, idleMs } = patience;
  if (upload) {
    request.socket.setTimeout(silenceMs);
    request.once('end', () => request.socket.setTimeout(idleMs));
  }
  const wholeMs = upload ? uploadMs(Number(request.headers['content-length'] ?? 0)) : bodyMs;
  const hangUp = (): void => void (request.complete || request.destroy());
  const deadline = setTimeout(hangUp, Math.min(wholeMs, longestTimerMs));
  request.once('close', () => clearTimeout(deadline));
}

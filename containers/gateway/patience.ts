import { uploadLeaseMs } from '@svc/application/ports/upload-admission.ts';
import type { IncomingMessage } from 'node:http';

/** How long clients may take, in milliseconds. */
export interface Patience {
  /** For a body that is read into memory. */
  readonly bodyMs: number;
  /** Without a byte of an upload, which as a whole may take hours. */
  readonly silenceMs: number;
  /** Without a sign of life on a connection with a request. */
  readonly idleMs: number;
  /** For the rest of a refused body, so that its sender gets to see the refusal. */
  readonly lingerMs: number;
}

export const usualPatience: Patience = {
  bodyMs: 30_000,
  silenceMs: uploadLeaseMs,
  idleMs: 120_000,
  lingerMs: 10_000,
};

/** Hangs up on a client whose body does not come in time. */
export function limitTime(request: IncomingMessage, upload: boolean, { bodyMs, silenceMs, idleMs }: Patience): void {
  if (upload) {
    request.socket.setTimeout(silenceMs);
    request.once('end', () => request.socket.setTimeout(idleMs));
    return;
  }
  const deadline = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, bodyMs);
  request.once('close', () => clearTimeout(deadline));
}

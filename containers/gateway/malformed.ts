import { privateHeaders, type Problem } from '@svc/contracts';
import { requestIdOf } from '@svc/functions/middleware/request-id.ts';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };
const details: Readonly<Record<number, string>> = {
  400: 'This is no valid HTTP request',
  408: 'The request took too long',
  431: 'The headers of the request are too large',
};

/**
 * Answers what cannot be read as HTTP with a problem like any other mistake, and hangs up. Where an
 * answer has already begun on the connection, nothing more is written to it.
 * @param headers of every answer.
 */
export function refuseMalformed(server: Server, headers: Readonly<Record<string, string>>): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const remember = (request: IncomingMessage, response: ServerResponse): void =>
    void latest.set(request.socket, response);
  server.on('request', remember).on('checkContinue', remember);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket);
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) socket.destroy();
    else socket.end(refusal(statuses[error.code ?? ''] ?? 400, headers), () => socket.destroy());
  });
}

function refusal(status: number, always: Readonly<Record<string, string>>): string {
  const id = requestIdOf(undefined);
  const problem: Problem = { detail: details[status]!, code: 'bad_request', request_id: id };
  const body = JSON.stringify(problem);
  const headers = {
    ...always,
    ...privateHeaders,
    'x-request-id': id,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

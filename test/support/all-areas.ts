import { matchOperation, operations, type Operation } from '@svc/contracts';
import type { HttpHandler } from '@svc/functions/http-event.ts';

const table: readonly Operation[] = Object.values(operations);

/** The functions of all areas as one handler, as a client sees them; call it after `usePorts`. */
export async function allAreas(): Promise<HttpHandler> {
  const { handlers } = await import('@svc/functions/handlers.ts');
  return (event) => {
    const { method } = event.requestContext.http;
    const { found, others } = matchOperation(table, method === 'HEAD' ? 'GET' : method, event.rawPath);
    return handlers[(found?.operation ?? others[0])?.area ?? 'jobs'](event);
  };
}

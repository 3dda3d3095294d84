import type { ModelClient } from '@svc/application/ports/model-client.ts';
import type { OutboundHttp } from '@svc/application/ports/outbound-http.ts';
import { lazy } from '../lazy.ts';
import { addressOfModel } from './model-address.ts';

/** Asks models by HTTP; what reads their answers is loaded with the first. */
export function lazyModelClient(outbound: OutboundHttp): ModelClient {
  const { port } = lazy<Pick<ModelClient, 'ask'>>(async () => {
    const { HttpModelClient } = await import('./http-model-client.ts');
    return new HttpModelClient(outbound);
  });
  return { addressOf: addressOfModel, ask: (request, listener) => port.ask(request, listener) };
}

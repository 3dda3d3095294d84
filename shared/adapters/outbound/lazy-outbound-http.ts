import type { OutboundHttp, OutboundPurpose } from '@svc/application/ports/outbound-http.ts';
import { lazy } from '../lazy.ts';
import type { OutboundPolicy } from './policies.ts';
import { refuseUrl } from './target.ts';

/** Requests to others by undici, which is loaded with the first; addresses are judged without it. */
export function lazyOutboundHttp(policies: Readonly<Record<OutboundPurpose, OutboundPolicy>>): OutboundHttp {
  const { port } = lazy<Pick<OutboundHttp, 'send'>>(async () => {
    const { UndiciOutboundHttp } = await import('./undici-outbound-http.ts');
    return new UndiciOutboundHttp(policies);
  });
  return {
    check: (purpose, url) => refuseUrl(url, policies[purpose].publicOnly),
    send: (request, use) => port.send(request, use),
  };
}

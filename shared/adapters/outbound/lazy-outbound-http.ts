import type { OutboundHttp, OutboundPurpose } from '@svc/application/ports/outbound-http.ts';
import type { OutboundPolicy } from './policies.ts';
import { refuseUrl } from './target.ts';

/** Requests to others by undici, which is loaded with the first; addresses are judged without it. */
export function lazyOutboundHttp(policies: Readonly<Record<OutboundPurpose, OutboundPolicy>>): OutboundHttp {
  let opening: Promise<OutboundHttp> | null = null;
  const open = async (): Promise<OutboundHttp> => {
    const { UndiciOutboundHttp } = await import('./undici-outbound-http.ts');
    return new UndiciOutboundHttp(policies);
  };
  return {
    check: (purpose, url) => refuseUrl(url, policies[purpose].publicOnly),
    send: async (request, use) => (await (opening ??= open())).send(request, use),
  };
}

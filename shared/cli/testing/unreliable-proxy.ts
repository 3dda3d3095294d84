import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request: it is cut after its first bytes, its answer is lost, or it is answered at once. */
export type Mishap =
  | { readonly kind: 'cut' }
  | { readonly kind: 'lost answer'; readonly meanwhile?: () => Promise<void> }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body: unknown;
    };

/** A way to a service on which things happen. */
export interface UnreliableProxy {
  readonly url: string;
  /** Method and path of every request so far. */
  readonly seen: string[];
  /** Most requests of these at the same time so far. */
  mostAtOnce(method: string): number;
  /** Decides about the requests from now on; none means that all is well. */
  befall(mishap: (name: string) => Mishap | undefined | Promise<undefined>): void;
  /** Where requests go from now on. */
  leadTo(url: string): void;
  reset(): void;
  close(): Promise<void>;
}

const allIsWell: Parameters<UnreliableProxy['befall']>[0] = () => undefined;

export async function startProxy(target: string): Promise<UnreliableProxy> {
  let upstream = target;
  let mishap = allIsWell;
  const seen: string[] = [];
  const open = new Map<string, { now: number; most: number }>();

  const count = (method: string, response: ServerResponse): void => {
    const of = open.get(method) ?? { now: 0, most: 0 };
    open.set(method, of);
    of.most = Math.max(of.most, ++of.now);
    response.once('close', () => of.now--);
  };

  const pass = (incoming: IncomingMessage, response: ServerResponse, end: () => Promise<boolean>): void => {
    const outgoing = forward(upstream + incoming.url, { method: incoming.method, headers: incoming.headers });
    outgoing.on('error', () => response.destroy());
    outgoing.on('response', (answer) => {
      void end().then((isLost) => {
        if (isLost) return response.destroy();
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.once('error', () => response.destroy());
        return answer.pipe(response);
      });
    });
    incoming.pipe(outgoing);
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = `${incoming.method} ${incoming.url}`;
    seen.push(name);
    count(incoming.method ?? '', response);
    const what = await mishap(name);
    if (what?.kind === 'answer') {
      incoming.resume();
      response.writeHead(what.status, { 'content-type': 'application/json', ...what.headers });
      response.end(JSON.stringify(what.body));
    } else if (what?.kind === 'cut') {
      pass(incoming, response, async () => true);
      incoming.once('data', () => incoming.destroy());
    } else {
      const isLost = what?.kind === 'lost answer';
      pass(incoming, response, async () => {
        await (isLost ? what.meanwhile?.() : undefined);
        return isLost;
      });
    }
  };
  const server = createServer((incoming, response) => void handle(incoming, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    mostAtOnce: (method) => open.get(method)?.most ?? 0,
    befall: (next) => void (mishap = next),
    leadTo: (url) => void (upstream = url),
    reset: () => {
      mishap = allIsWell;
      seen.length = 0;
      open.clear();
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

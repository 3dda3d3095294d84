import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What one of them was asked. */
export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A server of this machine in the place of somebody else's. */
export interface StandIn {
  readonly url: string;
  /** What it was asked so far. */
  readonly asked: readonly Asked[];
  /** Ends it with all connections. */
  close(): void;
}

/** Starts one; what goes wrong in `answer` breaks the connection. */
export async function openStandIn(answer: (asked: Asked, response: ServerResponse) => unknown): Promise<StandIn> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: await text(request) };
      asked.push(one);
      await answer(one, response);
    };
    take().catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

import { usePorts } from '@svc/adapters/compose.ts';
import { LocalObjectStore } from '@svc/adapters/local/object-store.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, listen, stopServer, type Gateway } from '../../containers/gateway/server.ts';
import { openSite } from '../../containers/gateway/static-files.ts';

export type OpenOptions = Parameters<typeof openTestPorts>[0] & {
  /** Ports of the test's own, made from those that every test has. */
  readonly over?: (ports: Ports) => Partial<Ports>;
  /** Folder of the built pages. @default pages that hold nothing */
  readonly web?: string;
  readonly patience?: NonNullable<Gateway['patience']>;
};

/** A gateway over all handlers on a free port, with a store of its own. */
export interface OpenGateway {
  readonly ports: Ports;
  /** Resets what is behind the ports, and moves their clock. */
  readonly test: TestPorts;
  readonly server: Server;
  readonly port: number;
  readonly url: string;
  /** Id of the default workflow. */
  readonly workflow: string;
  /** What was logged as an error. */
  readonly errors: string[];
  /** Files in the store, half-written ones included. */
  readonly stored: () => Promise<number>;
  /** One more server over the same handlers. */
  readonly another: () => Promise<{ readonly port: number; readonly url: string }>;
  readonly close: () => Promise<void>;
}

/** Once per test file, since handlers keep their ports. */
export async function openGateway({ over, patience, web: built, ...options }: OpenOptions = {}): Promise<OpenGateway> {
  const test = await openTestPorts(options);
  await test.reset();
  const store = await mkdtemp(join(tmpdir(), 'svc-store-'));
  const web = await mkdtemp(join(tmpdir(), 'svc-web-'));
  await writeFile(join(web, 'index.html'), '<title>shell</title>');
  const errors: string[] = [];
  const log: Ports['log'] = {
    ...test.ports.log,
    error: (message, fields) => void errors.push(`${message} ${String(fields?.['error'])}`),
  };
  const basic: Ports = { ...test.ports, log, objects: new LocalObjectStore(store) };
  const ports: Ports = { ...basic, ...over?.(basic) };
  usePorts(ports);
  const { handlers } = await import('@svc/functions/handlers.ts');
  const site = await openSite(built ?? web, {});
  const servers: Server[] = [];
  const another = async (): Promise<{ server: Server; port: number; url: string }> => {
    const server = createGateway({
      ...ports,
      handlers,
      site,
      ready: () => Promise.resolve(),
      ...(patience && { patience }),
    });
    servers.push(server);
    await listen(server, { host: '127.0.0.1', port: 0 });
    const { port } = server.address() as AddressInfo;
    return { server, port, url: `http://127.0.0.1:${port}` };
  };
  const workflow = String((await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id);
  return {
    ports,
    test,
    ...(await another()),
    workflow,
    errors,
    another,
    stored: async () => {
      const entries = await readdir(store, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).length;
    },
    close: async () => {
      for (const server of servers) await stopServer(server, 0);
      await test.close();
      for (const folder of [store, web]) await rm(folder, { recursive: true });
    },
  };
}

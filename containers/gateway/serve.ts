import { closePorts, compose } from '@svc/adapters/compose.ts';
import { prepareService } from '@svc/application/system/prepare-service.ts';
import { handlers } from '@svc/functions/handlers.ts';
import { securityHeaders } from '@svc/functions/middleware/response-headers.ts';
import { startWorker } from '@svc/worker/loop.ts';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { openApiDocs } from './api-docs.ts';
import { readiness } from './readiness.ts';
import { createGateway, listen, stopServer } from './server.ts';
import { openSite } from './static-files.ts';

/** Of the bundle in `dist/server`, and of this file. */
const dist = import.meta.url.endsWith('.ts') ? '../../dist' : '..';
const folderOf = (part: string): string => fileURLToPath(new URL(`${dist}/${part}`, import.meta.url));
const graceMs = 2000;

const ports = compose(
  'accounts',
  'clock',
  'database',
  'deployment',
  'engines',
  'jobViews',
  'jobs',
  'launcher',
  'ledger',
  'log',
  'objects',
  'passwords',
  'ruleArtifacts',
  'ruleCompiler',
  'rulePacks',
  'shipped',
  'shippedRules',
  'tasks',
  'transaction',
  'workflows',
);

/** A running service. */
export interface Service {
  readonly url: string;
  /** Generated administrator, on the very first start. */
  readonly firstLogin: { readonly email: string; readonly password: string } | null;
  /** Stops listening, gives running jobs back and closes the database. */
  stop(): Promise<void>;
}

/**
 * Starts everything that one process is. The port is taken first, so that a busy one changes nothing;
 * requests wait until the database is open and migrated, or are refused when that takes long.
 */
export async function serve(): Promise<Service> {
  const { debug, http } = ports.deployment;
  const headers = securityHeaders(ports.deployment);
  const site = await openSite(folderOf('web'), headers);
  const apiDocs = debug ? await openApiDocs(folderOf('api-docs'), headers) : null;
  const server = createGateway({ ...ports, handlers, site, apiDocs, ready: () => ready() });
  const prepared = listen(server, http).then(prepare);
  const ready = readiness(prepared);
  try {
    const firstLogin = await prepared;
    const worker = startWorker();
    return {
      url: `http://${hostOf(http.host)}:${(server.address() as AddressInfo).port}`,
      firstLogin,
      stop: async () => {
        await Promise.all([stopServer(server, graceMs), worker.stop()]);
        await closePorts();
      },
    };
  } catch (error) {
    await giveUp(server);
    throw error;
  }
}

async function prepare(): ReturnType<typeof prepareService> {
  await ports.objects.check();
  return prepareService(ports);
}

async function giveUp(server: Server): Promise<void> {
  if (server.listening) await stopServer(server, 0);
  await closePorts();
}

function hostOf(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

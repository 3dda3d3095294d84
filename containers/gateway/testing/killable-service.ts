import { bundleThread } from '@svc/engine/testing/bundle-thread.ts';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const [email, password] = ['root@example.org', 'correct horse battery'];
const secretKey = '0123456789abcdef'.repeat(4);

/** Bundles the service and its threads, for those that a test starts and kills. */
export async function bundleService(): Promise<void> {
  const adapters = new URL('../../../shared/adapters/', import.meta.url);
  await bundleThread('database-thread', new URL('postgres/database-thread.ts', adapters));
  await bundleThread('engine-thread', new URL('local/engine-thread.ts', adapters));
  await bundleThread('rules-thread', new URL('local/rules-thread.ts', adapters));
  entry = fileURLToPath(await bundleThread('killed-gateway', new URL('./killed-gateway.ts', import.meta.url)));
}
let entry: string;

/** Where the service keeps what outlives it; without an address, the database is in the folder. */
export type State = { readonly DATA_DIR: string; readonly DATABASE_URL?: string };

interface HowToStart {
  readonly cookie?: string;
  readonly as?: 'resting' | 'working' | 'webhooks';
}

/** The service on such a state, as one who has signed in sees it. */
export class Service {
  readonly child: ChildProcess;
  readonly url: string;
  readonly #cookie: string;

  private constructor(child: ChildProcess, url: string, cookie: string) {
    [this.child, this.url, this.#cookie] = [child, url, cookie];
  }

  /**
   * @param how.cookie - of an earlier start; its session goes on
   * @param how.as - what its workers do and what is a step (`killed-gateway.ts`)
   */
  static async start(state: State, { cookie = '', as = 'resting' }: HowToStart = {}): Promise<Service> {
    const env = {
      ...process.env,
      ...state,
      SECRET_KEY: secretKey,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'ERROR',
      COMMENT_RATE_LIMIT_PER_MINUTE: '0',
      WEBHOOK_RATE_LIMIT_PER_MINUTE: '0',
    };
    const options = { env: { ...env, ADMIN_EMAIL: email, ADMIN_PASSWORD: password }, silent: true };
    const child = fork(entry, [as], options);
    const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the service ended with ${code}`)));
    const [{ url }] = (await Promise.race([once(child, 'message'), exited])) as [{ url: string }];
    exited.catch(() => undefined);
    return new Service(child, url, cookie || (await signedIn(url)));
  }

  get cookie(): string {
    return this.#cookie;
  }

  /** @param init.headers - may have the cookie of another session */
  send(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const headers = { accept: 'application/json', cookie: this.#cookie, origin: this.url, ...init.headers };
    return fetch(this.url + path, { ...init, headers });
  }

  async get<T>(path: string): Promise<T> {
    return (await (await this.send(path)).json()) as T;
  }

  /** Dies at that step of what follows. */
  async dieAt(step: number): Promise<void> {
    this.child.send(step);
    await once(this.child, 'message');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}

/** A session of an account, by default that of the first administrator. */
export async function signedIn(url: string, username = email, secret = password): Promise<string> {
  const body = new URLSearchParams({ username, password: secret });
  const response = await fetch(`${url}/auth/cookie/login`, { method: 'POST', body });
  return response.headers.get('set-cookie')!.split(';')[0]!;
}

import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../argument-values.ts';
import { refusePlainHttp, type Credentials } from './service.ts';
import { CredentialsError } from './service-error.ts';

/** Which service the command line asks for. */
export interface ServiceOptions {
  readonly server: string | undefined;
  readonly insecureHttp: boolean;
}

interface Saved {
  readonly url: string;
  readonly token: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The service and the token to use there: `--server`, `SVC_URL`, or the one that was saved; and
 * `SVC_TOKEN`, or the token that was saved for that very service. Throws a `UsageError` or a
 * `CredentialsError`.
 */
export async function readCredentials(options: ServiceOptions, variables: Variables): Promise<Credentials> {
  const named = options.server ?? (variables['SVC_URL'] || undefined);
  const givenToken = variables['SVC_TOKEN'] || undefined;
  const path = credentialsFile(variables);
  const saved = named === undefined || givenToken === undefined ? await readSaved(path) : null;
  const address = named ?? saved?.url;
  if (address === undefined) throw new UsageError('Say which service: --server URL, SVC_URL, or once svc login');
  const url = serviceUrl(address);
  refusePlainHttp(url, options.insecureHttp);
  const token = givenToken ?? (saved !== null && serviceUrl(saved.url) === url ? saved.token : undefined);
  if (token === undefined) {
    throw new CredentialsError(`There is no token for ${url}: set SVC_TOKEN, or svc login --server ${url}`);
  }
  return { url, token: checkToken(token), insecureHttp: options.insecureHttp };
}

/** Keeps them in the configuration file, which nobody else may read, and returns its path. */
export async function saveCredentials({ url, token }: Credentials, variables: Variables): Promise<string> {
  const path = credentialsFile(variables);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${process.pid}.part`;
  await writeFile(part, `${JSON.stringify({ url, token }, null, 2)}\n`, { mode: 0o600 });
  await rename(part, path);
  return path;
}

/** An address as it was typed, in one spelling; throws a `UsageError`. */
export function serviceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`The service’s address is as https://svc.example.org, not "${text}"`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('The service’s address has neither a user nor anything after ? or #');
  }
  return url.href.replace(/\/+$/, '');
}

/** Of characters that a header can have; throws a `CredentialsError` that does not repeat it. */
export function checkToken(token: string): string {
  const trimmed = token.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new CredentialsError('The token is empty or has characters of no token');
  return trimmed;
}

function credentialsFile(variables: Variables): string {
  return join(variables['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'svc', 'config.json');
}

/** Null when there is no such file. */
async function readSaved(path: string): Promise<Saved | null> {
  const entry = await stat(path).catch(() => null);
  if (entry === null) return null;
  // Windows has no such modes; there the folder of the user is closed to others.
  if (process.platform !== 'win32' && (entry.mode & 0o077) !== 0) {
    throw new CredentialsError(`Others may read ${path}, and the token in it: chmod 600 ${path}`);
  }
  const saved = parseSaved(await readFile(path, 'utf8').catch(() => ''));
  if (saved === null) throw new CredentialsError(`${path} cannot be read as JSON with url and token; see svc login`);
  return saved;
}

function parseSaved(text: string): Saved | null {
  try {
    const saved: unknown = JSON.parse(text);
    if (typeof saved !== 'object' || saved === null) return null;
    const { url, token } = saved as Record<string, unknown>;
    if (typeof url !== 'string' || typeof token !== 'string') return null;
    return { url, token };
  } catch {
    return null;
  }
}

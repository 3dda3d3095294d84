import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

type Variables = Readonly<Record<string, string | undefined>>;

const Named = z.record(z.string(), z.coerce.string());
const OfDatabase = z.object({
  host: z.string(),
  port: z.coerce.number().int(),
  username: z.string(),
  password: z.string(),
  dbname: z.string(),
});

/**
 * Environment variables that the secrets hold which the environment names (`SECRETS_MANAGER_IDS`,
 * `DATABASE_SECRET_ID`). Throws a sentence, which never repeats a secret.
 */
export async function secretVariables(environment: Variables): Promise<Record<string, string>> {
  const named = (environment['SECRETS_MANAGER_IDS'] ?? '').split(',').map((id) => id.trim());
  const ids = named.filter((id) => id !== '');
  const database = environment['DATABASE_SECRET_ID'] ?? '';
  if (ids.length === 0 && database === '') return {};
  const { readSecrets } = await import('./secrets-manager.ts');
  const texts = await readSecrets(database === '' ? ids : [...ids, database]);
  const variables: Record<string, string> = {};
  for (const [at, id] of ids.entries()) Object.assign(variables, parse(Named, id, texts[at]!));
  if (database !== '') {
    const authorities = await authoritiesFile(environment['DATABASE_CA_URL'] ?? '');
    variables['SYNC_DATABASE_URL'] = urlOf(parse(OfDatabase, database, texts.at(-1)!), authorities);
  }
  return variables;
}

/** The certificates of this address as a file, for as long as the process runs; null without one. */
async function authoritiesFile(url: string): Promise<string | null> {
  if (url === '') return null;
  const file = join(await mkdtemp(join(tmpdir(), 'svc-authorities-')), 'authorities.pem');
  await writeFile(file, await fetched(url), { mode: 0o600 });
  return file;
}

const patience = { attempts: 4, waitMs: 1000, eachMs: 10_000 };

async function fetched(url: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(patience.eachMs) });
      const text = await answer.text();
      if (answer.ok && text.includes('-----BEGIN CERTIFICATE-----')) return text;
      throw new Error(`it answers ${answer.status}, and no certificates`);
    } catch (error) {
      if (attempt < patience.attempts) {
        await sleep(patience.waitMs);
        continue;
      }
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`DATABASE_CA_URL cannot be fetched: ${reason}`, { cause: error });
    }
  }
}

function parse<T>(schema: z.ZodType<T>, id: string, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message repeats what it could not read.
    throw new Error(`The secret ${id} is no JSON`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new Error(`The secret ${id} is not what it should be${fields === '' ? '' : `: look at ${fields}`}`);
}

function urlOf(
  { host, port, username, password, dbname }: z.output<typeof OfDatabase>,
  authorities: string | null,
): string {
  const [user, secret, name] = [username, password, dbname].map(encodeURIComponent);
  const trusted = authorities === null ? '' : `&sslrootcert=${encodeURIComponent(authorities)}`;
  return `postgres://${user}:${secret}@${host}:${port}/${name}?sslmode=verify-full${trusted}`;
}

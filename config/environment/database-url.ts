import { z } from 'zod';

const modes = ['disable', 'require', 'verify-ca', 'verify-full'];
/** What SQLAlchemy's drivers take for `ssl=`. */
const synonyms: Readonly<Record<string, string>> = { true: 'verify-full', false: 'disable' };

/**
 * URL of a PostgreSQL server, also as SQLAlchemy writes it (`postgresql+asyncpg://`, `ssl=` for `sslmode=`);
 * comes out as libpq would take it. A refusal never repeats the URL, which has a password in it.
 */
export const DatabaseUrl = z.string().transform((text, context): string => {
  const refuse = (message: string): never => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const [, scheme = '', rest = ''] = /^([a-z0-9+.-]+):\/\/(.*)$/is.exec(text) ?? [];
  if (!/^postgres(ql)?(\+[a-z0-9_]+)?$/i.test(scheme)) {
    return refuse('must be the postgres:// URL of a PostgreSQL server; leave it unset for the embedded database');
  }
  if (!URL.canParse(`postgres://${rest}`)) {
    return refuse('is no URL; characters such as @, : and / in a password must be percent-encoded');
  }
  const url = new URL(`postgres://${rest}`);
  const asked = url.searchParams.get('sslmode') ?? url.searchParams.get('ssl');
  if (asked === null) return url.href;
  const mode = synonyms[asked] ?? asked;
  if (!modes.includes(mode)) {
    return refuse(`sslmode must be one of ${modes.join(', ')}; prefer and allow may go without TLS, silently`);
  }
  if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert')) {
    return refuse('sslmode=verify-ca needs sslrootcert, the file with the certificate of the authority');
  }
  url.searchParams.delete('ssl');
  url.searchParams.set('sslmode', mode);
  return url.href;
});

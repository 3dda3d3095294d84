import { isOffLoopback, placeholder } from './values.ts';

/** Settings of installations from containers, and what takes their place here; nothing of them is read. */
export interface ContainerSettings {
  readonly names: readonly string[];
  /** What they are for. */
  readonly purpose: string;
  readonly selfHosted: string;
  readonly aws: string;
}

/** For the configuration manual, and for the hint at start to operators who bring such a file of settings along. */
export const containerSettings: readonly ContainerSettings[] = [
  {
    names: ['COMPOSE_PROFILES'],
    purpose: 'which bundled containers run',
    selfHosted: 'nothing is bundled: a server is used where `DATABASE_URL`, `KV_URL` or `STORAGE_BACKEND` names one',
    aws: 'the same, with RDS, ElastiCache and S3',
  },
  {
    names: ['WEB_PORT'],
    purpose: 'port mapping of the web container',
    selfHosted: '`HOST` and `PORT`',
    aws: 'port mapping of the task, to `PORT`',
  },
  {
    names: ['DOMAIN', 'PROXY_TLS', 'ACME_EMAIL', 'PROXY_TLS_CERT', 'PROXY_TLS_KEY'],
    purpose: 'bundled reverse proxy with TLS',
    selfHosted: 'a proxy of your own in front, with `TRUST_PROXY_HEADERS`, `TRUSTED_PROXY_CIDRS` and `ENABLE_HSTS`',
    aws: 'a load balancer with a certificate of ACM, and the same three settings',
  },
  {
    names: ['BASIC_AUTH_USER', 'BASIC_AUTH_HASH'],
    purpose: 'a password in front of everything, asked for by the proxy',
    selfHosted: 'the same in your own proxy; API tokens cannot pass through it',
    aws: 'authentication by the load balancer; API tokens cannot pass through it',
  },
  {
    names: ['DBSRV_PASSWORD', 'DBSRV_USER', 'DBSRV_NAME', 'DBSRV_HOST', 'DBSRV_PORT', 'DBSRV_EXPOSE'],
    purpose: 'bundled database server',
    selfHosted: 'a PostgreSQL server by `DATABASE_URL`; the embedded database without it',
    aws: 'RDS for PostgreSQL by `DATABASE_URL`, with `sslmode=verify-full`',
  },
  {
    names: ['OBJSTORE_RPC_SECRET', 'OBJSTORE_ADMIN_TOKEN', 'OBJSTORE_EXPOSE'],
    purpose: 'bundled object store',
    selfHosted: 'any S3-compatible store by `STORAGE_BACKEND=s3` and `S3_ENDPOINT`; a folder without them',
    aws: 'S3 by `STORAGE_BACKEND=s3` and `S3_BUCKET`, with the credentials of the task’s role',
  },
  {
    names: ['SVC_IMAGE_TAG'],
    purpose: 'which images are pulled, and from where',
    selfHosted: 'the checkout of a version, which `npm start` builds',
    aws: 'an image of that checkout in a registry of your own',
  },
];

const objectStoreKeys = ['S3_ACCESS_KEY', 'S3_SECRET_KEY', 'OBJSTORE_RPC_SECRET', 'OBJSTORE_ADMIN_TOKEN'];

type Source = Readonly<Record<string, string | undefined>>;

const isSet = (source: Source, name: string): boolean => (source[name] ?? '') !== '';

/** Names of container settings that somebody has set in vain. */
export function settingsWithoutEffect(source: Source): string[] {
  return containerSettings.flatMap(({ names }) => names).filter((name) => isSet(source, name));
}

/** Why these settings stop the start even where no proxy of ours reads them (service 7), or null. */
export function containerSettingsProblem(source: Source): string | null {
  if (isSet(source, 'BASIC_AUTH_USER') !== isSet(source, 'BASIC_AUTH_HASH')) {
    return 'BASIC_AUTH_USER and BASIC_AUTH_HASH must be set together or not at all';
  }
  if (isSet(source, 'PROXY_TLS') && !/^(acme|internal|custom|off)$/.test(source['PROXY_TLS'] ?? '')) {
    return 'PROXY_TLS must be acme, internal, custom or off';
  }
  if (isSet(source, 'OBJSTORE_EXPOSE') && isOffLoopback(source['OBJSTORE_EXPOSE'] ?? '')) {
    const known = objectStoreKeys.filter((name) => placeholder.test(source[name] ?? ''));
    if (known.length > 0)
      return `OBJSTORE_EXPOSE off loopback needs keys of your own, no placeholder: ${known.join(', ')}`;
  }
  return null;
}

import { describe, expect, it } from 'vitest';
import { containerSettings } from './environment/containers.ts';
import { describeEnvironment, readEnvironment, safetyWarnings, startNotices } from './env.ts';
import { databaseUrlOf, serviceRoleOf } from './environment/database.ts';
import { keyValueUrl } from './environment/key-value.ts';

/** What starts workers, and needs no database. */
const dispatcher = {
  TASKQ_SQS_URL: 'https://sqs.eu-west-1.amazonaws.com/1/q',
  TASKQ_LEDGER_TABLE: 't',
  WORKER_CLUSTER: 'c',
  WORKER_TASK_DEFINITION: 'worker',
  WORKER_SUBNETS: 'subnet-1, subnet-2',
};

describe('the environment', () => {
  it('has defaults for everything but secrets', () => {
    expect(readEnvironment({})).toMatchObject({
      PORT: 8000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      MAX_UPLOAD_SIZE_MB: 500,
      LOG_LEVEL: 'INFO',
      DEBUG: false,
      WORKER_HEARTBEAT_INTERVAL: 30,
      WORKER_HEARTBEAT_TTL: 60,
      TASKQ_QUEUE_EXPIRY: 1800,
    });
    expect(readEnvironment({}).SECRET_KEY).toBeUndefined();
  });

  it('reads numbers, switches and levels, and takes empty for unset', () => {
    const read = readEnvironment({ PORT: '9000', DEBUG: 'true', COOKIE_INSECURE: '0', LOG_LEVEL: 'debug', HOST: '' });
    expect(read).toMatchObject({
      PORT: 9000,
      DEBUG: true,
      COOKIE_INSECURE: false,
      LOG_LEVEL: 'DEBUG',
      HOST: '127.0.0.1',
    });
  });

  it.each([
    [{ PORT: '70000' }, 'PORT'],
    [{ PORT: 'http' }, 'PORT'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY: must have at least 8 characters'],
    [{ SECRET_KEY: 'ChangeMe' }, 'SECRET_KEY: must not be a placeholder'],
    [{ DEBUG: 'maybe' }, 'DEBUG'],
    ...[
      'change_me_in_production',
      'Replace-this-key',
      'your-secret-key-here',
      'secretsecret',
      'PASSWORD',
      'minioadmin',
    ].map((key): [Record<string, string>, string] => [{ SECRET_KEY: key }, 'SECRET_KEY: must not be a placeholder']),
    [{ ENRICHMENT_ENCRYPTION_KEY: 'changeme' }, 'ENRICHMENT_ENCRYPTION_KEY: must not be a placeholder'],
    [{ ENRICHMENT_ENCRYPTION_KEY_PREVIOUS: 'short' }, 'ENRICHMENT_ENCRYPTION_KEY_PREVIOUS: must have at least 8'],
    [{ DISABLE_CSP: 'true' }, 'DISABLE_CSP needs DEBUG=true or I_ACCEPT_DISABLE_CSP_IN_PROD=true'],
    [{ TRUSTED_PROXY_CIDRS: '10.0.0.0/8,proxy' }, 'TRUSTED_PROXY_CIDRS'],
    [{ HSTS_MAX_AGE: '-1' }, 'HSTS_MAX_AGE'],
    [{ LOG_LEVEL: 'verbose' }, 'LOG_LEVEL'],
    [{ LOG_FORMAT: 'xml' }, 'LOG_FORMAT'],
    [
      { DATABASE_AUTH: 'iam', DATABASE_URL: 'postgres://svc@db/svc', SECRET_KEY: 'k'.repeat(64) },
      'DATABASE_AUTH=iam needs sslmode=verify-full',
    ],
    [{ TASKQ_TASK_TIMEOUT: '0' }, 'TASKQ_TASK_TIMEOUT'],
    [{ WEBHOOK_TIMEOUT_SECONDS: '0' }, 'WEBHOOK_TIMEOUT_SECONDS'],
    [{ BASIC_AUTH_USER: 'ops' }, 'BASIC_AUTH_USER and BASIC_AUTH_HASH must be set together'],
    [{ BASIC_AUTH_HASH: '$2b$12$x', BASIC_AUTH_USER: '' }, 'BASIC_AUTH_USER and BASIC_AUTH_HASH must be set together'],
    [{ PROXY_TLS: 'letsencrypt' }, 'PROXY_TLS must be acme, internal, custom or off'],
    [{ KV_URL: 'http://kv:6379' }, 'KV_URL: must be redis'],
    [{ KV_EXPOSE: '0.0.0.0:6379' }, 'KV_EXPOSE off loopback needs a KV_PASSWORD'],
    [{ KV_EXPOSE: '6379' }, 'KV_EXPOSE off loopback'],
    [{ KV_EXPOSE: '192.0.2.1:6379', KV_URL: 'redis://kv:6379' }, 'KV_EXPOSE off loopback'],
    [
      { OBJSTORE_EXPOSE: '0.0.0.0:3900', S3_ACCESS_KEY: 'GK1', S3_SECRET_KEY: 'changeme' },
      'placeholder: S3_SECRET_KEY',
    ],
    [
      { OBJSTORE_EXPOSE: '3900', OBJSTORE_RPC_SECRET: 'change-me' },
      'OBJSTORE_EXPOSE off loopback needs keys of your own',
    ],
    [
      { OBJSTORE_EXPOSE: '192.0.2.1:3900', OBJSTORE_ADMIN_TOKEN: 'secret', OBJSTORE_RPC_SECRET: 'minioadmin' },
      'placeholder: OBJSTORE_RPC_SECRET, OBJSTORE_ADMIN_TOKEN',
    ],
    [{ WORKER_HEARTBEAT_TTL: '30' }, 'WORKER_HEARTBEAT_TTL must exceed'],
    [{ TASKQ_SQS_URL: 'https://sqs.eu-west-1.amazonaws.com/1/q' }, 'TASKQ_SQS_URL and TASKQ_LEDGER_TABLE go together'],
    [{ TASKQ_SQS_URL: 'https://sqs.eu-west-1.amazonaws.com/1/q', TASKQ_LEDGER_TABLE: 't' }, 'needs DATABASE_URL'],
    [{ TASKQ_SQS_HEAVY_URL: 'https://sqs.eu-west-1.amazonaws.com/1/h' }, 'need TASKQ_SQS_URL'],
    [{ TASKQ_SQS_DEAD_URL: 'https://sqs.eu-west-1.amazonaws.com/1/d' }, 'need TASKQ_SQS_URL'],
    [{ ...dispatcher, TASKQ_SQS_HEAVY_URL: dispatcher.TASKQ_SQS_URL }, 'must be different queues'],
    [{ ...dispatcher, WORKER_SUBNETS: ' , ' }, 'WORKER_CLUSTER needs WORKER_TASK_DEFINITION and WORKER_SUBNETS'],
    [{ ENGINE_TASKS: 'evtx-timeline' }, 'must be engine=family:number'],
    [{ ENGINE_TASKS: 'evtx-timeline=svc:2' }, 'ENGINE_TASKS needs ENGINE_CLUSTER'],
    [{ TASKQ_LANES: 'fast,slow' }, 'TASKQ_LANES'],
    [{ TASKQ_LANES: ',' }, 'must name fast, heavy or sweep'],
    [{ TASKQ_SQS_URL: 'my-queue', TASKQ_LEDGER_TABLE: 't' }, 'TASKQ_SQS_URL'],
    [{ DATABASE_URL: 'postgres://u:p@db/svc' }, 'DATABASE_URL needs SECRET_KEY'],
    [{ SYNC_DATABASE_URL: 'postgres://u:p@db/svc' }, 'DATABASE_URL needs SECRET_KEY'],
  ])('refuses %j', (source, reason) => {
    expect(() => readEnvironment(source)).toThrow(reason);
  });

  it.each([
    ['postgres://u:p@db/svc', 'postgres://u:p@db/svc'],
    ['postgresql://u:p%40ss@db:5433/svc?application_name=x', 'postgres://u:p%40ss@db:5433/svc?application_name=x'],
    ['postgresql+asyncpg://u:p@db/svc?ssl=require', 'postgres://u:p@db/svc?sslmode=require'],
    ['postgresql+psycopg2://u@[::1]/svc?sslmode=verify-full', 'postgres://u@[::1]/svc?sslmode=verify-full'],
    ['postgres:///svc?host=/run/postgresql', 'postgres:///svc?host=/run/postgresql'],
  ])('takes the database %s', (given, meant) => {
    const key = { SECRET_KEY: '0'.repeat(64) };
    expect(readEnvironment({ DATABASE_URL: given, ...key }).DATABASE_URL).toBe(meant);
    expect(databaseUrlOf(readEnvironment({ SYNC_DATABASE_URL: given, ...key }))).toBe(meant);
  });

  it.each([
    ['sqlite+aiosqlite:///./data.db', 'must be the postgres:// URL of a PostgreSQL server; leave it unset'],
    ['mysql://root:hunter2@db/svc', 'must be the postgres:// URL'],
    ['db.example.org', 'must be the postgres:// URL'],
    ['postgres://u:hunter2/x@db:x/svc', 'is no URL'],
    ['postgres://u:hunter2@db/svc?sslmode=prefer', 'sslmode must be one of'],
    ['postgres://u:hunter2@db/svc?sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert'],
  ])('refuses the database %s, without repeating it', (given, reason) => {
    const read = () => readEnvironment({ DATABASE_URL: given, SECRET_KEY: '0'.repeat(64) });
    expect(read).toThrow(`DATABASE_URL: ${reason}`);
    expect(read).not.toThrow(/hunter2|aiosqlite/);
  });

  it.each([
    [{ KV_EXPOSE: '[::1]:6380' }],
    [{ KV_EXPOSE: 'localhost:6379' }],
    [{ KV_EXPOSE: '0.0.0.0:6379', KV_PASSWORD: 'x' }],
    [{ KV_EXPOSE: '0.0.0.0:6379', KV_URL: 'rediss://:x@kv:6379' }],
  ])('takes %j', (source) => {
    expect(readEnvironment(source)).toMatchObject(source);
  });

  it('takes lanes and networks as lists', () => {
    expect(readEnvironment({}).TASKQ_LANES).toEqual(['fast', 'heavy', 'sweep']);
    expect(readEnvironment({ TASKQ_LANES: 'heavy' }).TASKQ_LANES).toEqual(['heavy']);
    expect(readEnvironment(dispatcher)).toMatchObject({
      WORKER_SUBNETS: ['subnet-1', 'subnet-2'],
      WORKER_SECURITY_GROUPS: [],
      WORKER_MAX_TASKS: 4,
    });
  });

  it('finds the key-value store', () => {
    const url = (source: Record<string, string>): string | null => keyValueUrl(readEnvironment(source));
    expect(url({})).toBeNull();
    expect(url({ KV_PORT: '7000', KV_PASSWORD: 'x' })).toBeNull();
    expect(url({ KV_HOST: 'kv' })).toBe('redis://kv:6379');
    expect(url({ KV_HOST: 'kv', KV_PASSWORD: 'x', KV_TLS: 'true' })).toBe('rediss://:x@kv:6379');
    expect(url({ KV_HOST: '::1', KV_PORT: '7000', KV_PASSWORD: 'p@ss:w/rd%' })).toBe(
      'redis://:p%40ss%3Aw%2Frd%25@[::1]:7000',
    );
    expect(url({ KV_HOST: 'kv', KV_PASSWORD: 'x', KV_URL: 'rediss://elsewhere:1' })).toBe('rediss://elsewhere:1');
  });

  it('receives one upload at a time at least', () => {
    expect(readEnvironment({ UPLOAD_MAX_CONCURRENT: '0' }).UPLOAD_MAX_CONCURRENT).toBe(1);
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT: must be a number'],
    [{ PORT: '80.5' }, 'PORT: must be a whole number'],
    [{ PORT: '70000' }, 'PORT: must be at most 65535'],
    [{ MAX_UPLOAD_SIZE_MB: '-1' }, 'MAX_UPLOAD_SIZE_MB: must be at least 1'],
    [{ LOG_FORMAT: 'xml' }, 'LOG_FORMAT: must be text or json'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be DEBUG, INFO, WARNING or ERROR'],
    [{ DEBUG: 'maybe' }, 'DEBUG: must be true or false'],
    [{ TRUSTED_PROXY_CIDRS: '10.0.0.0/99, 10.0.0.0/98' }, 'TRUSTED_PROXY_CIDRS: must be networks'],
  ])('says of %j what it must be, in words of operators', (source, sentence) => {
    expect(() => readEnvironment(source)).toThrow(
      expect.objectContaining({ sentences: [expect.stringMatching(new RegExp(`^${sentence}`))] }),
    );
  });

  it('has a sentence of its own for whatever is wrong with any variable', () => {
    const nonsense = Object.fromEntries(describeEnvironment().map(({ name }) => [name, ' \u0000?']));
    expect(() => readEnvironment(nonsense)).toThrow(expect.objectContaining({ name: 'WrongSettings' }));
    expect(() => readEnvironment(nonsense)).not.toThrow(/Invalid|Too (small|big)|expected|received|NaN/);
  });

  it('never repeats a secret in its refusal', () => {
    expect(() => readEnvironment({ SECRET_KEY: 'hunter2' })).not.toThrow('hunter2');
  });

  it('describes every variable', () => {
    const described = describeEnvironment();
    expect(described.length).toBeGreaterThan(15);
    expect(described.filter(({ description }) => description.length < 20)).toEqual([]);
    expect(described.find(({ name }) => name === 'PORT')).toMatchObject({ fallback: '8000' });
    expect(described.find(({ name }) => name === 'SECRET_KEY')).toMatchObject({ fallback: null });
  });

  it('takes the old name of the queue’s expiry, and the new one before it', () => {
    expect(readEnvironment({ TASKQ_TASK_TIMEOUT: '60' }).TASKQ_QUEUE_EXPIRY).toBe(60);
    expect(readEnvironment({ TASKQ_TASK_TIMEOUT: '60', TASKQ_QUEUE_EXPIRY: '90' }).TASKQ_QUEUE_EXPIRY).toBe(90);
  });
});

describe('what is said at start', () => {
  const safety = (source: Record<string, string>): string =>
    safetyWarnings(readEnvironment(source))
      .map(({ message }) => message)
      .join('; ');
  const notices = (source: Record<string, string>): string => startNotices(readEnvironment(source), source).join('; ');

  it('is nothing of the defaults, nor of a careful production', () => {
    const careful = {
      SECRET_KEY: '0'.repeat(64),
      ENABLE_HSTS: 'true',
      S3_ACCESS_KEY: 'GK1',
      S3_SECRET_KEY: 'f'.repeat(64),
    };
    for (const source of [{}, careful]) expect([safety(source), notices(source)]).toEqual(['', '']);
  });

  it.each<[Record<string, string>, string]>([
    [{ DEBUG: 'true' }, 'DEBUG is on'],
    [{ DISABLE_CSP: 'true', I_ACCEPT_DISABLE_CSP_IN_PROD: 'true' }, 'the Content-Security-Policy is off'],
    [{ COOKIE_INSECURE: 'true' }, 'session cookies also go over plain HTTP'],
    [{ TRUST_PROXY_HEADERS: 'true', TRUSTED_PROXY_CIDRS: '10.0.0.0/8,*' }, 'callers can choose their address'],
    [{ SECRET_KEY: 'only 24 characters long!' }, 'SECRET_KEY is shorter than 32 characters'],
    [{ UPLOAD_RATE_LIMIT_PER_MINUTE: '0' }, 'anonymous uploads are not limited'],
    [{ LOGIN_RATE_LIMIT_PER_MINUTE: '0' }, 'attempts to sign in are not limited'],
    [{ S3_ACCESS_KEY: 'minioadmin', S3_SECRET_KEY: 'minioadmin' }, 'S3_SECRET_KEY is a placeholder'],
  ])('is a warning of safety for %j', (source, sentence) => {
    expect(safety(source)).toContain(sentence);
    expect(safety(source)).not.toContain(';');
  });

  it('does not doubt cookies twice, nor believed networks that nobody believes', () => {
    expect(safety({ DEBUG: 'true', COOKIE_INSECURE: 'true' })).toBe('DEBUG is on');
    expect(safety({ TRUSTED_PROXY_CIDRS: '*' })).toBe('');
  });

  it('tells whose headers are believed, who works, and what has another name', () => {
    const proxied = { TRUST_PROXY_HEADERS: 'true', TRUSTED_PROXY_CIDRS: '10.0.0.0/8, ::1', ALLOWED_HOSTS: 'a.test' };
    expect(notices(proxied)).toBe('forwarded headers are believed from 10.0.0.0/8, ::1');
    const fleet = { DATABASE_URL: 'postgres://u:p@db/svc', SECRET_KEY: '0'.repeat(64), TASKQ_WORKERS: '0' };
    expect(notices(fleet)).toContain('STORAGE_BACKEND=s3 serves other hosts too');
    expect(notices({ ...fleet, STORAGE_BACKEND: 's3' })).toBe('');
    expect(notices({ TASKQ_TASK_TIMEOUT: '60' })).toContain('old name of TASKQ_QUEUE_EXPIRY');
  });

  it('reads the rule packs to import, each with its name', () => {
    const { RULE_PACKS } = readEnvironment({ RULE_PACKS: ' team=/srv/rules\n sigmahq=https://x.example/p.zip?a=b ' });
    expect(RULE_PACKS).toEqual([
      ['team', '/srv/rules'],
      ['sigmahq', 'https://x.example/p.zip?a=b'],
    ]);
    expect(readEnvironment({ RULE_PACKS: 'sigmahq' }).RULE_PACKS).toEqual([['sigmahq', 'sigmahq']]);
    expect(readEnvironment({}).RULE_PACKS).toEqual([]);
    for (const wrong of ['/srv/rules', 'Team=/srv/rules', 'team=', '=x']) {
      expect(() => readEnvironment({ RULE_PACKS: wrong })).toThrow('RULE_PACKS');
    }
  });

  it('bounds the events of analytics only where an operator does', () => {
    expect(readEnvironment({}).MAX_PARSE_EVENTS).toBe(0);
    expect(readEnvironment({ MAX_PARSE_EVENTS: '250000' }).MAX_PARSE_EVENTS).toBe(250_000);
  });

  it.each(['', '127.0.0.1:3900', 'localhost:3900'])('takes placeholder keys of a store published at “%s”', (at) => {
    const keys = { S3_ACCESS_KEY: 'minioadmin', S3_SECRET_KEY: 'minioadmin' };
    expect(readEnvironment({ ...keys, OBJSTORE_EXPOSE: at })).toMatchObject(keys);
    const own = { S3_ACCESS_KEY: 'GK1', S3_SECRET_KEY: 'f'.repeat(64) };
    expect(readEnvironment({ ...own, OBJSTORE_EXPOSE: '0.0.0.0:3900' })).toMatchObject(own);
  });

  it('names settings of containers, which nothing here reads', () => {
    expect(notices({ COMPOSE_PROFILES: 'postgres,s3', WEB_PORT: '', DBSRV_PASSWORD: 'hunter2' })).toMatch(
      /^COMPOSE_PROFILES, DBSRV_PASSWORD: without effect here/,
    );
    const read = new Set(describeEnvironment().map(({ name }) => name));
    expect(containerSettings.flatMap(({ names }) => names).filter((name) => read.has(name))).toEqual([]);
  });
});

it.each([
  [{ DATABASE_URL: 'postgres://app:a@db/svc', SYNC_DATABASE_URL: 'postgres://owner:b@db/svc' }, 'app'],
  [{ DATABASE_URL: 'postgres://app:a@pool/svc', SYNC_DATABASE_URL: 'postgres://app:a@db/svc' }, null],
  [{ DATABASE_URL: 'postgres://app:a@db/svc' }, null],
  [{ SYNC_DATABASE_URL: 'postgres://owner:b@db/svc' }, null],
  [{ SYNC_DATABASE_URL: 'postgres://owner:b@db/svc', DATABASE_SERVICE_ROLE: 'app' }, 'app'],
  [{ DATABASE_SERVICE_ROLE: 'app' }, null],
])('lets migrations by %j make room for %j', (set, name) => {
  const role = serviceRoleOf(readEnvironment({ SECRET_KEY: 'k'.repeat(32), ...set }));
  expect(role?.name ?? null).toBe(name);
});

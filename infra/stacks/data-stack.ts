import { Fn, type App } from 'aws-cdk-lib';
import { SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import { Secret as ContainerSecret } from 'aws-cdk-lib/aws-ecs';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Database } from '../constructs/database.ts';
import type { ServiceEnvironment } from '../constructs/environment.ts';
import { GeneratedSecret } from '../constructs/generated-secret.ts';
import { KeyValueStore } from '../constructs/key-value-store.ts';
import { output } from '../constructs/output.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';
import type { NetworkStack } from './network-stack.ts';

/** The servers that keep state, and the secrets: what must survive everything else, beside the storage. */
export class DataStack extends BaseStack {
  /** Security group of everything that talks to the database and the key-value store. */
  readonly clients: SecurityGroup;
  readonly database: Database;
  readonly keyValue: KeyValueStore;
  /** SECRET_KEY: signs sessions. */
  readonly sessionKey: GeneratedSecret;
  /** ENRICHMENT_ENCRYPTION_KEY: without it what the database keeps sealed cannot be read. */
  readonly sealingKey: GeneratedSecret;
  /** EDGE_KEY: what the edge proves itself by, to what answers requests alone. */
  readonly edgeKey: GeneratedSecret;
  /** ADMIN_EMAIL and ADMIN_PASSWORD of the first administrator, for the migration alone. */
  readonly administrator: GeneratedSecret;

  constructor(app: App, id: string, props: BaseProps & { readonly network: NetworkStack }) {
    super(app, id, props);
    const { vpc } = props.network;
    const { name, sizes, backupRetentionDays, logRetentionDays, adminEmail } = props.settings;
    this.clients = new SecurityGroup(this, 'Clients', { vpc, description: 'May talk to database and key-value store' });
    this.database = new Database(this, 'Database', {
      identifier: `${name}-database`,
      vpc,
      clients: this.clients,
      size: sizes.database,
      backupRetentionDays,
      logRetention: logRetentionDays,
    });
    this.keyValue = new KeyValueStore(this, 'KeyValue', { vpc, clients: this.clients, size: sizes.cache });
    this.sessionKey = new GeneratedSecret(this, 'SessionKey', {
      variable: 'SECRET_KEY',
      description: 'Signs sessions',
    });
    this.sealingKey = new GeneratedSecret(this, 'SealingKey', {
      variable: 'ENRICHMENT_ENCRYPTION_KEY',
      description: 'Seals the secrets of others in the database: of no use without it, nor it without them',
      keep: true,
    });
    this.edgeKey = new GeneratedSecret(this, 'EdgeKey', {
      variable: 'EDGE_KEY',
      description: 'By which the edge proves that a request came through it',
    });
    this.administrator = new GeneratedSecret(this, 'Administrator', {
      variable: 'ADMIN_PASSWORD',
      description: 'First administrator: to sign in with, and then to change',
      beside: { ADMIN_EMAIL: adminEmail },
    });
    this.#tellNames();
  }

  /** What commands of docs/runbook.md and docs/aws.md name. */
  #tellNames(): void {
    output(this, 'DatabaseName', this.database.instance.instanceIdentifier);
    output(this, 'ProxyName', this.database.proxy.dbProxyName);
    output(this, 'CacheName', this.keyValue.id);
    output(this, 'DatabaseSecret', this.database.secret.secretArn);
    output(this, 'SessionKeySecret', this.sessionKey.secretArn);
    output(this, 'SealingKeySecret', this.sealingKey.secretArn);
    output(this, 'EdgeKeySecret', this.edgeKey.secretArn);
    output(this, 'CacheSecret', this.keyValue.password.secretArn);
    output(this, 'AdministratorSecret', this.administrator.secretArn);
  }

  /** What a function must know to use database and key-value store. */
  get variables(): ServiceEnvironment {
    return this.variablesWith();
  }

  /** The same, with secrets that only some have. */
  variablesWith(...more: GeneratedSecret[]): ServiceEnvironment {
    const ids = [...this.#secrets, ...more].map(({ secretArn }) => secretArn);
    return { ...this.containerVariables, SECRETS_MANAGER_IDS: Fn.join(',', ids) };
  }

  /** What a container must know, beside the secrets that ECS gives it. */
  get containerVariables(): ServiceEnvironment {
    return { ...this.database.variables, ...this.keyValue.variables };
  }

  /** Secrets by their variables, as ECS puts them into a container. */
  get containerSecrets(): Readonly<Record<string, ContainerSecret>> {
    return Object.fromEntries(
      this.#secrets.map((secret) => [secret.variable, ContainerSecret.fromSecretsManager(secret, secret.variable)]),
    );
  }

  /** Lets a function or task use database and key-value store, and read the secrets that its variables name. */
  grantUse(grantee: IGrantable, ...more: GeneratedSecret[]): void {
    this.database.grantConnect(grantee);
    for (const secret of [...this.#secrets, ...more]) secret.grantRead(grantee);
  }

  get #secrets(): readonly GeneratedSecret[] {
    return [this.sessionKey, this.sealingKey, this.keyValue.password];
  }
}

import { Duration, RemovalPolicy, type App } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { InstanceType, Port, SecurityGroup, SubnetType } from 'aws-cdk-lib/aws-ec2';
import { CfnReplicationGroup, CfnSubnetGroup } from 'aws-cdk-lib/aws-elasticache';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import {
  Credentials,
  DatabaseInstance,
  DatabaseInstanceEngine,
  type DatabaseProxy,
  PostgresEngineVersion,
} from 'aws-cdk-lib/aws-rds';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ServiceEnvironment } from '../constructs/environment.ts';
import { output } from '../constructs/output.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';
import type { NetworkStack } from './network-stack.ts';

const databaseName = 'svc';
const databaseUser = 'svc';

/** What must survive everything else: database, key-value store, task ledger and secrets. */
export class DataStack extends BaseStack {
  /** Security group of everything that talks to the database and the key-value store. */
  readonly clients: SecurityGroup;
  readonly database: DatabaseInstance;
  readonly proxy: DatabaseProxy;
  readonly ledger: Table;
  /** Environment variables by name: SECRET_KEY, ENRICHMENT_ENCRYPTION_KEY. */
  readonly keys: Secret;
  /** KV_PASSWORD. */
  readonly cacheKey: Secret;
  readonly cache: CfnReplicationGroup;

  constructor(app: App, id: string, props: BaseProps & { readonly network: NetworkStack }) {
    super(app, id, props);
    const { vpc } = props.network;
    const { sizes, backupRetentionDays } = props.settings;
    const isolated = { subnetType: SubnetType.PRIVATE_ISOLATED };
    this.clients = new SecurityGroup(this, 'Clients', { vpc, description: 'May talk to the database and the cache' });

    this.database = new DatabaseInstance(this, 'Database', {
      engine: DatabaseInstanceEngine.postgres({ version: PostgresEngineVersion.VER_17 }),
      instanceType: new InstanceType(sizes.database.instance),
      vpc,
      vpcSubnets: isolated,
      credentials: Credentials.fromGeneratedSecret(databaseUser),
      databaseName,
      allocatedStorage: sizes.database.storageGiB,
      maxAllocatedStorage: sizes.database.storageGiB * 10,
      storageEncrypted: true,
      multiAz: sizes.database.multiAz,
      backupRetention: Duration.days(backupRetentionDays),
      deletionProtection: true,
      removalPolicy: RemovalPolicy.SNAPSHOT,
    });
    this.database.addRotationSingleUser();
    this.proxy = this.database.addProxy('Proxy', {
      vpc,
      vpcSubnets: isolated,
      secrets: [this.database.secret!],
      iamAuth: true,
      requireTLS: true,
      securityGroups: [new SecurityGroup(this, 'ProxyGroup', { vpc, description: 'RDS Proxy' })],
    });
    this.proxy.connections.allowFrom(this.clients, Port.tcp(5432));

    this.cacheKey = new Secret(this, 'CacheKey', {
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'KV_PASSWORD',
        excludePunctuation: true,
        passwordLength: 64,
      },
    });
    const cacheGroup = new SecurityGroup(this, 'CacheGroup', { vpc, description: 'ElastiCache' });
    cacheGroup.addIngressRule(this.clients, Port.tcp(6379));
    const subnets = new CfnSubnetGroup(this, 'CacheSubnets', {
      description: 'Isolated subnets',
      subnetIds: vpc.selectSubnets(isolated).subnetIds,
    });
    this.cache = new CfnReplicationGroup(this, 'Cache', {
      replicationGroupDescription: 'Rate limits and upload admission',
      engine: 'valkey',
      engineVersion: '8.0',
      cacheNodeType: sizes.cache.node,
      replicasPerNodeGroup: sizes.cache.replicas,
      numNodeGroups: 1,
      automaticFailoverEnabled: sizes.cache.replicas > 0,
      multiAzEnabled: sizes.cache.replicas > 0,
      transitEncryptionEnabled: true,
      atRestEncryptionEnabled: true,
      authToken: this.cacheKey.secretValueFromJson('KV_PASSWORD').unsafeUnwrap(),
      cacheSubnetGroupName: subnets.ref,
      securityGroupIds: [cacheGroup.securityGroupId],
    });

    this.ledger = new Table(this, 'Ledger', {
      partitionKey: { name: 'jobId', type: AttributeType.NUMBER },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expiresAt',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });

    this.keys = new Secret(this, 'Keys', {
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'SECRET_KEY',
        excludePunctuation: true,
        passwordLength: 64,
      },
    });
    this.#tellNames();
  }

  /** What commands of docs/runbook.md name. */
  #tellNames(): void {
    output(this, 'DatabaseName', this.database.instanceIdentifier);
    output(this, 'CacheName', this.cache.ref);
    output(this, 'LedgerName', this.ledger.tableName);
  }

  /** What a function or container must know to use database and key-value store. */
  get variables(): ServiceEnvironment {
    return {
      DATABASE_URL: `postgresql://${databaseUser}@${this.proxy.endpoint}:5432/${databaseName}?sslmode=verify-full`,
      KV_HOST: this.cache.attrPrimaryEndPointAddress,
      KV_PORT: this.cache.attrPrimaryEndPointPort,
    };
  }

  /** Lets a function or task use the database through the proxy, and read the keys. */
  grantUse(grantee: IGrantable): void {
    this.proxy.grantConnect(grantee, databaseUser);
    this.keys.grantRead(grantee);
    this.cacheKey.grantRead(grantee);
  }
}

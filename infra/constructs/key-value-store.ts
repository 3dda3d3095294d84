import { Validations } from 'aws-cdk-lib';
import { Port, SecurityGroup, SubnetType, type IVpc } from 'aws-cdk-lib/aws-ec2';
import { CfnParameterGroup, CfnReplicationGroup, CfnSubnetGroup } from 'aws-cdk-lib/aws-elasticache';
import { Construct } from 'constructs';
import type { Sizes } from '../settings.ts';
import type { ServiceEnvironment } from './environment.ts';
import { GeneratedSecret } from './generated-secret.ts';

export interface KeyValueStoreProps {
  readonly vpc: IVpc;
  /** Who may connect. */
  readonly clients: SecurityGroup;
  readonly size: Sizes['cache'];
}

/** Valkey on ElastiCache: rate limits and upload admission. TLS and a password, no eviction. */
export class KeyValueStore extends Construct {
  /** KV_PASSWORD. */
  readonly password: GeneratedSecret;
  readonly #group: CfnReplicationGroup;

  constructor(scope: Construct, id: string, { vpc, clients, size }: KeyValueStoreProps) {
    super(scope, id);
    this.password = new GeneratedSecret(this, 'Password', {
      variable: 'KV_PASSWORD',
      description: 'Password of the key-value store',
    });
    const group = new SecurityGroup(this, 'Group', { vpc, description: 'Key-value store', allowAllOutbound: false });
    group.addIngressRule(clients, Port.tcp(6379));
    const replicated = size.replicas > 0;
    this.#group = new CfnReplicationGroup(this, 'Valkey', {
      replicationGroupDescription: 'Rate limits and upload admission',
      engine: 'valkey',
      engineVersion: '8.0',
      cacheNodeType: size.node,
      replicasPerNodeGroup: size.replicas,
      numNodeGroups: 1,
      automaticFailoverEnabled: replicated,
      multiAzEnabled: replicated,
      snapshotRetentionLimit: replicated ? 1 : 0,
      snapshotWindow: '01:00-02:00',
      preferredMaintenanceWindow: 'sun:03:00-sun:04:00',
      transitEncryptionEnabled: true,
      transitEncryptionMode: 'required',
      atRestEncryptionEnabled: true,
      authToken: this.password.secretValueFromJson(this.password.variable).unsafeUnwrap(),
      cacheParameterGroupName: new CfnParameterGroup(this, 'Parameters', {
        cacheParameterGroupFamily: 'valkey8',
        description: 'A counter that is evicted is a limit that is lifted',
        properties: { 'maxmemory-policy': 'noeviction' },
      }).ref,
      cacheSubnetGroupName: new CfnSubnetGroup(this, 'Subnets', {
        description: 'Isolated subnets',
        subnetIds: vpc.selectSubnets({ subnetType: SubnetType.PRIVATE_ISOLATED }).subnetIds,
      }).ref,
      securityGroupIds: [group.securityGroupId],
    });
    Validations.of(this.#group).acknowledge({
      id: 'AwsSolutions-AEC5',
      reason: 'The port is reachable from the service alone; another number would hide nothing.',
    });
    if (replicated) return;
    Validations.of(this.#group).acknowledge({
      id: 'AwsSolutions-AEC4',
      reason: 'Size small has one node: it keeps nothing for longer than a minute, and the service goes on without it.',
    });
  }

  /** Identifier of the replication group, for metrics. */
  get id(): string {
    return this.#group.ref;
  }

  get variables(): ServiceEnvironment {
    return {
      KV_HOST: this.#group.attrPrimaryEndPointAddress,
      KV_PORT: this.#group.attrPrimaryEndPointPort,
      KV_TLS: 'true',
    };
  }
}

import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { InstanceType, Port, SecurityGroup, SubnetType, type IVpc } from 'aws-cdk-lib/aws-ec2';
import { Role, ServicePrincipal, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  CaCertificate,
  Credentials,
  DatabaseInsightsMode,
  DatabaseInstance,
  DatabaseInstanceEngine,
  DatabaseProxy,
  DefaultAuthScheme,
  ParameterGroup,
  PostgresEngineVersion,
  ProxyTarget,
  StorageType,
} from 'aws-cdk-lib/aws-rds';
import { CfnApplication } from 'aws-cdk-lib/aws-sam';
import type { ISecret, SecretRotation } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Sizes } from '../settings.ts';
import type { ServiceEnvironment } from './environment.ts';

export interface DatabaseProps {
  /**
   * Name of the instance. That CloudFormation refuses to replace what is named is meant; and a restored
   * backup takes its place by being given the name.
   */
  readonly identifier: string;
  readonly vpc: IVpc;
  /** Who may connect. */
  readonly clients: SecurityGroup;
  readonly size: Sizes['database'];
  readonly backupRetentionDays: number;
  readonly logRetention: RetentionDays;
}

const name = 'svc';
/** Owns the tables, and migrates them by the direct connection. */
const owner = 'svc';
/** Made by the first migration: reads and writes rows, and has no password at all. */
export const serviceRole = 'svc_service';
const logs = ['postgresql', 'upgrade'];
/**
 * What keeps data of users out of the database's log (PostgreSQL 17, "Error Reporting and Logging"). Parameters of slow
 * statements are logged in full by default; errors repeat values that do not fit or are there already, so that they are
 * left to the service's own log. What is slow, waits for a lock or is fatal is above them.
 */
const withoutValues = {
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_min_messages: 'log',
};

/** PostgreSQL on RDS behind RDS Proxy: IAM tokens over TLS to the proxy and from there on, and nothing else. */
export class Database extends Construct {
  readonly instance: DatabaseInstance;
  readonly proxy: DatabaseProxy;

  constructor(scope: Construct, id: string, props: DatabaseProps) {
    super(scope, id);
    const { vpc, size } = props;
    const isolated = { subnetType: SubnetType.PRIVATE_ISOLATED };
    // The newest version that both RDS Proxy and the schema's SQL (PostgreSQL 15 to 18) are known to work with.
    const engine = DatabaseInstanceEngine.postgres({ version: PostgresEngineVersion.VER_17 });
    this.instance = new DatabaseInstance(this, 'Instance', {
      instanceIdentifier: props.identifier,
      engine,
      instanceType: new InstanceType(size.instance),
      vpc,
      vpcSubnets: isolated,
      securityGroups: [
        new SecurityGroup(this, 'InstanceGroup', { vpc, description: 'Database', allowAllOutbound: false }),
      ],
      credentials: Credentials.fromGeneratedSecret(owner),
      databaseName: name,
      parameterGroup: new ParameterGroup(this, 'Parameters', {
        engine,
        description: 'TLS only; slow statements are logged',
        parameters: {
          'rds.force_ssl': '1',
          log_min_duration_statement: '2000',
          log_lock_waits: '1',
          // In kB, 32 MB of 8 GB: with less, what an index finds among millions of jobs is forgotten to the page.
          work_mem: '{DBInstanceClassMemory/262144}',
          // Searches among millions of jobs are planned as costly and take milliseconds, sooner than they are compiled.
          jit: '0',
          ...withoutValues,
        },
      }),
      iamAuthentication: true,
      caCertificate: CaCertificate.RDS_CA_RSA2048_G1,
      storageType: StorageType.GP3,
      allocatedStorage: size.storageGiB,
      maxAllocatedStorage: size.storageGiB * 10,
      storageEncrypted: true,
      multiAz: size.multiAz,
      databaseInsightsMode: DatabaseInsightsMode.STANDARD,
      enablePerformanceInsights: true,
      cloudwatchLogsExports: logs,
      preferredMaintenanceWindow: 'Sun:03:00-Sun:04:00',
      preferredBackupWindow: '01:00-02:00',
      backupRetention: Duration.days(props.backupRetentionDays),
      deleteAutomatedBackups: false,
      deletionProtection: true,
      removalPolicy: RemovalPolicy.SNAPSHOT,
    });
    for (const log of logs) {
      // Else RDS makes it, and keeps what is in it for ever.
      const logGroupName = `/aws/rds/instance/${props.identifier}/${log}`;
      // Not kept: a name that is still there would stop the next deployment.
      const removalPolicy = RemovalPolicy.DESTROY;
      const group = new LogGroup(this, log, { logGroupName, retention: props.logRetention, removalPolicy });
      this.instance.node.addDependency(group);
    }
    // The function that rotates asks Secrets Manager, which isolated subnets do not reach.
    const rotation = this.instance.addRotationSingleUser({
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
    });
    this.#keepLogOf(rotation, props.logRetention);
    const role = new Role(this, 'ProxyRole', { assumedBy: new ServicePrincipal('rds.amazonaws.com') });
    // The proxy signs in as the service does. It knows no password, and so can be nobody who may change the schema.
    this.instance.grantConnect(role, serviceRole);
    this.proxy = new DatabaseProxy(this, 'Proxy', {
      proxyTarget: ProxyTarget.fromInstance(this.instance),
      role,
      vpc,
      vpcSubnets: isolated,
      defaultAuthScheme: DefaultAuthScheme.IAM_AUTH,
      requireTLS: true,
      securityGroups: [
        new SecurityGroup(this, 'ProxyGroup', { vpc, description: 'RDS Proxy', allowAllOutbound: false }),
      ],
    });
    this.proxy.connections.allowFrom(props.clients, Port.tcp(5432));
    this.#acknowledge(size.multiAz);
  }

  /** What connects through the proxy is told; its password is an IAM token. */
  get variables(): ServiceEnvironment {
    return {
      DATABASE_URL: `postgresql://${serviceRole}@${this.proxy.endpoint}:5432/${name}?sslmode=verify-full`,
      DATABASE_AUTH: 'iam',
    };
  }

  /** Host, port, user, password and name, for the direct connection that migrations take. */
  get secret(): ISecret {
    return this.instance.secret!;
  }

  /** Lets it connect through the proxy as the service's user. */
  grantConnect(grantee: IGrantable): void {
    this.proxy.grantConnect(grantee, serviceRole);
  }

  /** The function that rotates comes with an application of AWS's, which says nothing of its log. */
  #keepLogOf(rotation: SecretRotation, retention: RetentionDays): void {
    const application = rotation.node.findAll().find((construct) => construct instanceof CfnApplication)!;
    const { functionName } = application.parameters as { functionName: string };
    const logGroupName = `/aws/lambda/${functionName}`;
    const group = new LogGroup(this, 'RotationLog', { logGroupName, retention, removalPolicy: RemovalPolicy.DESTROY });
    application.node.addDependency(group);
  }

  #acknowledge(multiAz: boolean): void {
    Validations.of(this.instance).acknowledge({
      id: 'AwsSolutions-RDS11',
      reason: 'The port is reachable from the proxy and migrations alone; another number would hide nothing.',
    });
    if (multiAz) return;
    Validations.of(this.instance).acknowledge({
      id: 'AwsSolutions-RDS3',
      reason: 'Size small trades a standby for its price: a failed zone means restoring a backup (docs/aws.md).',
    });
  }
}

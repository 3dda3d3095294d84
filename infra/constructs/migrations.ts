import { Duration, Fn } from 'aws-cdk-lib';
import { Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import { Trigger } from 'aws-cdk-lib/triggers';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { DataStack } from '../stacks/data-stack.ts';
import type { NetworkStack } from '../stacks/network-stack.ts';
import type { StorageStack } from '../stacks/storage-stack.ts';
import { serviceRole } from './database.ts';
import { grantRules } from './object-grants.ts';
import { ServiceFunction } from './service-function.ts';

export interface MigrationsProps {
  readonly network: NetworkStack;
  readonly data: DataStack;
  readonly storage: StorageStack;
  readonly logRetention: RetentionDays;
}

/**
 * Brings the database up to date, once in each deployment that changes the function: its migrations and its
 * shipped content lie beside it. What is to come after it names itself with `before`. Where it fails, its
 * sentence is the reason that CloudFormation gives, and the deployment is rolled back.
 */
export class Migrations extends Construct {
  readonly lambda: ServiceFunction;
  readonly #trigger: Trigger;

  constructor(scope: Construct, id: string, { network, data, storage, logRetention }: MigrationsProps) {
    super(scope, id);
    const { vpc } = network;
    // Past the proxy: the lock of a migration belongs to a session, which the proxy hands from one to another;
    // and in a first deployment the proxy takes some minutes to find its database.
    const group = new SecurityGroup(this, 'Group', { vpc, description: 'Migrations', allowAllOutbound: false });
    group.connections.allowToAnyIpv4(Port.tcp(443));
    group.connections.allowTo(data.database.instance, Port.tcp(5432));
    const secrets = [data.sessionKey, data.administrator];
    this.lambda = new ServiceFunction(this, 'Function', {
      bundle: 'deploy-migrate',
      vpc,
      securityGroups: [group],
      environment: {
        ...storage.variables,
        SECRETS_MANAGER_IDS: Fn.join(
          ',',
          secrets.map(({ secretArn }) => secretArn),
        ),
        DATABASE_SECRET_ID: data.database.secret.secretArn,
        DATABASE_SERVICE_ROLE: serviceRole,
        // How that role signs in; the function itself has the password of the owner.
        DATABASE_AUTH: 'iam',
        DATA_DIR: '/tmp',
        DB_POOL_SIZE: '2',
      },
      // Hashes one password, and compiles the shipped rules.
      memoryMiB: 1769,
      timeout: Duration.minutes(15),
      logRetention,
    });
    // The authority of RDS is none that Node.js knows by itself.
    this.lambda.addEnvironment('NODE_EXTRA_CA_CERTS', '/var/runtime/ca-cert.pem');
    for (const secret of [...secrets, data.database.secret]) secret.grantRead(this.lambda);
    grantRules(this, this.lambda, storage.packs);
    this.#trigger = new Trigger(this, 'Trigger', { handler: this.lambda, timeout: this.lambda.timeout });
    this.#trigger.executeAfter(group);
  }

  /** Has these created or changed only when the database is ready for them. */
  before(...constructs: readonly Construct[]): void {
    this.#trigger.executeBefore(...constructs);
  }
}

import type { Duration } from 'aws-cdk-lib';
import { SubnetType, type ISecurityGroup, type IVpc } from 'aws-cdk-lib/aws-ec2';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { fileURLToPath } from 'node:url';
import { acknowledge, managedPolicyFindings } from './acknowledge.ts';
import type { ServiceEnvironment } from './environment.ts';
import { output } from './output.ts';

export interface ServiceFunctionProps {
  /** Name of the bundle in dist/functions. */
  readonly bundle: string;
  /** Unset for a function that asks nothing but AWS itself. */
  readonly vpc?: IVpc;
  readonly securityGroups?: ISecurityGroup[];
  readonly environment: ServiceEnvironment;
  readonly memoryMiB: number;
  readonly timeout: Duration;
  readonly logRetention: RetentionDays;
  /** Whether X-Ray keeps traces of its runs. @default true */
  readonly traced?: boolean;
}

/** What functions with the database are told: an instance does one thing at a time, and may write to one folder. */
export const instanceVariables = {
  DATA_DIR: '/tmp',
  DB_POOL_SIZE: '2',
  DB_MAX_OVERFLOW: '2',
} as const satisfies ServiceEnvironment;

/** A Lambda function of this project: arm64, in the private subnets, JSON logs, traced. */
export class ServiceFunction extends LambdaFunction {
  readonly bundle: string;
  /** The same in PascalCase, for what must have letters only. */
  readonly name: string;
  readonly memoryMiB: number;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id, {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(fileURLToPath(new URL(`../../dist/functions/${props.bundle}`, import.meta.url))),
      handler: 'index.handler',
      memorySize: props.memoryMiB,
      timeout: props.timeout,
      ...(props.vpc && {
        vpc: props.vpc,
        vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
        securityGroups: props.securityGroups,
      }),
      environment: { LOG_FORMAT: 'json', ...props.environment },
      loggingFormat: LoggingFormat.JSON,
      logGroup: new LogGroup(scope, `${id}Log`, { retention: props.logRetention }),
      tracing: (props.traced ?? true) ? Tracing.ACTIVE : Tracing.DISABLED,
    });
    this.bundle = props.bundle;
    this.name = pascalCase(props.bundle);
    this.memoryMiB = props.memoryMiB;
    output(this, `${this.name}Log`, this.logGroup.logGroupName);
    this.#acknowledge();
  }

  #acknowledge(): void {
    const policies = managedPolicyFindings(
      'service-role/AWSLambdaBasicExecutionRole',
      'service-role/AWSLambdaVPCAccessExecutionRole',
    );
    acknowledge(this, policies, 'What Lambda needs to write its log and to join a VPC; AWS keeps it up to date.');
    acknowledge(this, ['IAM5[Resource::*]'], 'Traces belong to no resource: their two rights of X-Ray take none.');
  }
}

function pascalCase(name: string): string {
  return name.replaceAll(/(^|-)(.)/g, (_, _dash, first: string) => first.toUpperCase());
}

import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { EnvironmentName } from '@svc/config';
import type { Construct } from 'constructs';
import type { ServiceEnvironment } from './environment.ts';

export interface GeneratedSecretProps {
  /** The environment variable whose value is generated, 64 letters and digits. */
  readonly variable: EnvironmentName;
  readonly description: string;
  /** What stands beside it. @default nothing */
  readonly beside?: ServiceEnvironment;
  /** Whether it outlives the stack. @default false */
  readonly keep?: boolean;
}

/** A secret of Secrets Manager as JSON of environment variables, for SECRETS_MANAGER_IDS. */
export class GeneratedSecret extends Secret {
  readonly variable: EnvironmentName;

  constructor(scope: Construct, id: string, props: GeneratedSecretProps) {
    super(scope, id, {
      description: props.description,
      generateSecretString: {
        secretStringTemplate: JSON.stringify(props.beside ?? {}),
        generateStringKey: props.variable,
        excludePunctuation: true,
        passwordLength: 64,
      },
      removalPolicy: props.keep ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.variable = props.variable;
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A new value ends sessions, connections or stored secrets: docs/aws.md says how and when to give one.',
    });
  }
}

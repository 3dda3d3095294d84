import { PolicyStatement, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { DataStack } from '../stacks/data-stack.ts';
import type { NetworkStack } from '../stacks/network-stack.ts';
import type { StorageStack } from '../stacks/storage-stack.ts';
import type { ServiceEnvironment } from './environment.ts';
import { grantOutputs } from './object-grants.ts';
import { longestRun, type Queues } from './queues.ts';
import { instanceVariables, ServiceFunction } from './service-function.ts';

export interface AiRunsProps {
  readonly network: NetworkStack;
  readonly data: DataStack;
  readonly storage: StorageStack;
  readonly queues: Queues;
  readonly variables: ServiceEnvironment;
  readonly logRetention: RetentionDays;
}

/**
 * Asks models, through the NAT gateway, and writes down what they answer: invoked for each run, as a
 * queue of its own would be asked, and paid for, all day (decision 120).
 */
export class AiRuns extends Construct {
  readonly lambda: ServiceFunction;

  constructor(scope: Construct, id: string, { network, data, storage, queues, ...props }: AiRunsProps) {
    super(scope, id);
    this.lambda = new ServiceFunction(this, 'Function', {
      bundle: 'queue-ai',
      vpc: network.vpc,
      securityGroups: [data.clients],
      environment: { ...props.variables, ...instanceVariables },
      memoryMiB: 512,
      timeout: longestRun,
      logRetention: props.logRetention,
    });
    data.grantUse(this.lambda);
    grantOutputs(this, this.lambda, storage.outputs);
    queues.grantQueueing(this.lambda);
  }

  /** Where whoever has runs done finds it. */
  get variables(): ServiceEnvironment {
    return { AI_FUNCTION: this.lambda.functionName };
  }

  /** Lets it have runs done. */
  grantHandingOver(grantee: IGrantable): void {
    const actions = ['lambda:InvokeFunction'];
    const resources = [this.lambda.functionArn];
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources }));
  }
}

/** Hosts of the VPC are nobody's models, unless the operator says otherwise. */
export const publicProviders = { AI_REQUIRE_PUBLIC_HOST: 'true' } as const satisfies ServiceEnvironment;

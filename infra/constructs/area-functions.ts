import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { ISecurityGroup, IVpc } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Area } from '@svc/contracts';
import { Construct } from 'constructs';
import { acknowledge, objectsFinding } from './acknowledge.ts';
import { answerKeys } from './object-bucket.ts';
import { capabilitiesOf, type Capability } from './area-capabilities.ts';
import type { ServiceEnvironment } from './environment.ts';
import { instanceVariables, ServiceFunction } from './service-function.ts';

export interface AreaFunctionsProps {
  readonly vpc: IVpc;
  readonly securityGroups: ISecurityGroup[];
  readonly logRetention: RetentionDays;
  /** What all functions are told; each gets more by what it may do. */
  readonly variables: ServiceEnvironment;
  /** Lets a function sign in to the database through the proxy, and read the keys. */
  readonly grantData: (grantee: ServiceFunction) => void;
  readonly uploads: IBucket;
  /** Of what engines put out, under outputs/. */
  readonly outputs: IBucket;
  /** Of the rule packs, under packs/. */
  readonly packs: IBucket;
  /** All buckets of the service, which health looks at. */
  readonly buckets: readonly IBucket[];
  /** Where tasks are queued. */
  readonly lanes: readonly IQueue[];
  /** Where word of analyses that were given up is left. */
  readonly deadLetters: IQueue;
  readonly ledger: ITable;
  /** Starts workers for what was queued on the heavy lane. */
  readonly dispatcher: IFunction;
}

/**
 * API Gateway gives up after 30 seconds, so a later answer would reach nobody; and a function that goes on
 * working for nobody is paid for.
 */
export const answerWithin = Duration.seconds(29);

/**
 * Lambda gives processor time by memory: 1769 MiB is one core. Hashing a password or an upload takes a core
 * to be quick, and compiling all rules of a pack a gigabyte; what only asks the database waits more than it computes, and starts fast enough with half of one.
 */
const memoryMiB: Readonly<Record<Area, number>> = {
  admin: 1769,
  ai: 1024,
  alerts: 1024,
  auth: 1769,
  cases: 1024,
  discussions: 1024,
  feeds: 1024,
  intel: 1024,
  jobs: 1024,
  report: 1024,
  rules: 3008,
  submissions: 1769,
  system: 1024,
  tags: 1024,
};

/** One function per area, each with the rights that its operations need and no others. */
export class AreaFunctions extends Construct {
  readonly byArea: Readonly<Record<Area, ServiceFunction>>;
  readonly #props: AreaFunctionsProps;

  constructor(scope: Construct, id: string, props: AreaFunctionsProps) {
    super(scope, id);
    this.#props = props;
    const areas = Object.keys(memoryMiB) as Area[];
    // The cast is safe: there is one entry per area.
    this.byArea = Object.fromEntries(areas.map((area) => [area, this.#functionOf(area)])) as typeof this.byArea;
  }

  #functionOf(area: Area): ServiceFunction {
    const { dispatcher, vpc, securityGroups, logRetention, variables } = this.#props;
    const capabilities = capabilitiesOf(area);
    const lambda = new ServiceFunction(this, area, {
      bundle: `api-${area}`,
      vpc,
      securityGroups,
      logRetention,
      memoryMiB: memoryMiB[area],
      timeout: answerWithin,
      environment: {
        ...variables,
        ...instanceVariables,
        ...(capabilities.includes('launcher') && { WORKER_DISPATCHER: dispatcher.functionName }),
      },
    });
    this.#props.grantData(lambda);
    for (const capability of capabilities) this.#grants[capability]?.(lambda);
    return lambda;
  }

  /** By capability; database, cache and keys are what every area has. */
  readonly #grants: Readonly<Partial<Record<Capability, (lambda: ServiceFunction) => void>>> = {
    answers: (lambda) => {
      allowObjects(
        lambda,
        ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
        this.#props.uploads,
        answerKeys,
      );
    },
    objects: (lambda) => {
      const { uploads } = this.#props;
      // Without the right to list, a missing object looks like a forbidden one.
      allow(lambda, ['s3:ListBucket'], [uploads.bucketArn]);
      allowObjects(lambda, useObjects, uploads, '*');
    },
    outputs: (lambda) => {
      const { outputs } = this.#props;
      allow(lambda, ['s3:ListBucket'], [outputs.bucketArn]);
      allowObjects(lambda, useObjects, outputs, 'outputs/*');
    },
    packs: (lambda) => {
      const { packs } = this.#props;
      allow(lambda, ['s3:ListBucket'], [packs.bucketArn]);
      allowObjects(lambda, useObjects, packs, 'packs/*');
    },
    listing: (lambda) => {
      const { outputs, packs, uploads } = this.#props;
      allow(
        lambda,
        ['s3:ListBucket'],
        [uploads, outputs, packs].map(({ bucketArn }) => bucketArn),
      );
    },
    'bucket-health': (lambda) => {
      const { buckets, uploads } = this.#props;
      allow(
        lambda,
        ['s3:ListBucket'],
        buckets.map(({ bucketArn }) => bucketArn),
      );
      allowObjects(lambda, ['s3:PutObject', 's3:DeleteObject'], uploads, '*.probe');
    },
    queue: (lambda) => {
      const { lanes } = this.#props;
      allow(
        lambda,
        ['sqs:SendMessage'],
        lanes.map(({ queueArn }) => queueArn),
      );
      this.#useLedger(lambda, 'dynamodb:PutItem');
    },
    depths: (lambda) => {
      const { lanes } = this.#props;
      allow(
        lambda,
        ['sqs:GetQueueAttributes'],
        lanes.map(({ queueArn }) => queueArn),
      );
    },
    ledger: (lambda) => {
      this.#useLedger(lambda);
      allow(lambda, ['sqs:SendMessage'], [this.#props.deadLetters.queueArn]);
    },
    'queue-list': (lambda) => allow(lambda, ['dynamodb:Scan'], [this.#props.ledger.tableArn]),
    launcher: (lambda) => {
      const { dispatcher } = this.#props;
      allow(lambda, ['lambda:InvokeFunction'], [dispatcher.functionArn]);
    },
  };

  #useLedger(lambda: ServiceFunction, ...more: string[]): void {
    const actions = ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', ...more];
    allow(lambda, actions, [this.#props.ledger.tableArn]);
  }
}

const useObjects = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'];

function allow(lambda: ServiceFunction, actions: string[], resources: string[]): void {
  lambda.addToRolePolicy(new PolicyStatement({ actions, resources }));
}

function allowObjects(lambda: ServiceFunction, actions: string[], bucket: IBucket, keys: string): void {
  allow(lambda, actions, [bucket.arnForObjects(keys)]);
  const reason = 'Objects get random names as they come; the rights end with this bucket.';
  acknowledge(lambda, [objectsFinding(bucket, keys)], reason);
}

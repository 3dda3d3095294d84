import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../constructs/work-queue.ts';
import { enginesOfOthers } from './engines-of-others.ts';
import { synthesised, synthesisedLocally, synthesisedWith, type Change } from './synth.ts';

/** Templates by stack; a stack that is not there is not deployed yet. */
type Deployed = ReadonlyMap<string, Template>;
interface Template {
  readonly Outputs?: Readonly<Record<string, { readonly Export?: unknown }>>;
}

const stackNames = ['network', 'data', 'storage', 'service', 'edge', 'operations'] as const;
/** As `deploy --all` goes, and as docs/aws.md says to go back: who reads what another stack tells comes first. */
const forth = ['network', 'data', 'storage', 'engines', 'service', 'edge', 'operations'] as const;
const back = ['operations', 'edge', 'service', 'engines', 'data', 'storage', 'network'] as const;

const name = 'svc';
const release = ({ enginesTemplate, templates }: ReturnType<typeof synthesised>): Deployed =>
  new Map([
    ...stackNames.map((stack) => [stack, templates[stack].toJSON() as Template] as const),
    ...(enginesTemplate ? [['engines', enginesTemplate.toJSON() as Template] as const] : []),
  ]);

/** Every use of a function of CloudFormation in a template, with what it is given. */
function usesOf(intrinsic: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === intrinsic ? [inner] : usesOf(intrinsic, inner),
  );
}

/** What these stacks read of others and no deployed one tells, as stack and output. */
function missing(deployed: Deployed, stacks: Iterable<string>): string[] {
  return [...stacks].flatMap((stack) =>
    (usesOf('Fn::GetStackOutput', deployed.get(stack)) as { StackName: string; OutputName: string }[])
      .filter(({ StackName, OutputName }) => {
        const outputs = deployed.get(StackName.slice(name.length + 1))?.Outputs ?? {};
        return outputs[OutputName] === undefined;
      })
      .map(({ StackName, OutputName }) => `${stack} reads ${StackName}.${OutputName}`),
  );
}

/** Deploys stack by stack. What goes wrong: a stack reads what is not there, at its own deployment or ever after. */
function problemsOf(before: Deployed, after: Deployed, order: readonly string[]): string[] {
  const deployed = new Map(before);
  return order.flatMap((stack) => {
    const next = after.get(stack);
    if (next) deployed.set(stack, next);
    else deployed.delete(stack);
    return missing(deployed, deployed.keys());
  });
}

const withMore: Change = ({ service, operations }) => {
  const queue = new WorkQueue(service, 'NewQueue', {
    visibilityTimeout: Duration.minutes(1),
    maxReceiveCount: 10,
    late: { after: Duration.minutes(5), heading: 'Fast lane is late' },
  });
  const lambda = new LambdaFunction(service, 'NewFunction', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('export const handler = () => {};'),
  });
  const left = [queue.metricAge(), lambda.metricErrors()];
  new Dashboard(operations, 'NewDashboard', { widgets: [[new GraphWidget({ left })]] });
};

describe.each([
  {
    what: 'a release with one function and one queue more',
    from: synthesised({ size: 'small' }),
    to: synthesisedWith({ size: 'small' }, withMore),
  },
  {
    what: 'the gateway',
    from: synthesised({ size: 'small' }),
    to: synthesised({ size: 'small', gateway: true }),
  },
  {
    what: 'an engine in an image of its own',
    from: synthesised({ size: 'small' }),
    to: synthesised({ size: 'small', engines: enginesOfOthers }),
  },
  { what: 'the larger size', from: synthesised({ size: 'small' }), to: synthesised({ size: 'ha' }) },
])('$what', ({ from, to }) => {
  const [before, after] = [release(from), release(to)];

  it('comes stack by stack, and goes again', () => {
    expect(after).not.toEqual(before);
    expect(problemsOf(new Map(), before, forth)).toEqual([]);
    expect(problemsOf(before, after, forth)).toEqual([]);
    expect(problemsOf(after, before, back)).toEqual([]);
  });

  it('is held by no export, which CloudFormation would not let go', () => {
    for (const template of [...before.values(), ...after.values()]) {
      expect(Object.values(template.Outputs ?? {}).filter(({ Export }) => Export !== undefined)).toEqual([]);
      expect(usesOf('Fn::ImportValue', template)).toEqual([]);
    }
  });
});

it('would find a stack that reads what went before it', () => {
  const [before, after] = [synthesised({ size: 'small', gateway: true }), synthesised({ size: 'small' })];
  const wrong = problemsOf(release(before), release(after), forth);
  expect(wrong.join()).toMatch(/edge reads svc-service\.\w+LoadBalancer/);
});

it('gives LocalStack exports, as it does not know the other way', () => {
  const { queues } = synthesisedLocally().templates;
  expect(usesOf('Fn::GetStackOutput', queues.toJSON())).toEqual([]);
  expect(usesOf('Fn::ImportValue', queues.toJSON())).not.toEqual([]);
});

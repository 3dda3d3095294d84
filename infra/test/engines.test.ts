import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { idleCost } from '../cost/idle.ts';
import { readSettings } from '../settings.ts';
import { EnginesStack } from '../stacks/engines-stack.ts';
import { NetworkStack } from '../stacks/network-stack.ts';
import { enginesOfOthers } from './engines-of-others.ts';
import { allowedTo, resourcesIn, textsIn } from './resources.ts';
import { synthesised } from './synth.ts';

type Json = Readonly<Record<string, unknown>>;

const context = { size: 'small', engines: enginesOfOthers };
const installation = synthesised(context);
const template = installation.enginesTemplate!;
const { service } = installation.templates;
const own = resourcesIn('engines', template);
const all = (type: string) => own.filter((resource) => resource.type === type);
const roles = new Set(all('AWS::IAM::Role').map(({ name }) => name.split('/')[1]!));

it('are no part of an installation that names none', () => {
  const without = synthesised({ size: 'small' });
  expect(without.engines).toBeNull();
  expect(JSON.stringify(without.templates.service.toJSON())).not.toMatch(/ENGINE_|ecs:StopTask/);
});

it('are a task each, of the size that is named, in an image around the one that is named', () => {
  const tasks = all('AWS::ECS::TaskDefinition').map(({ properties }) => properties);
  expect(tasks.map(({ Family, Cpu, Memory, EphemeralStorage }) => [Family, Cpu, Memory, EphemeralStorage])).toEqual([
    ['svc-evtx-timeline', '2048', '8192', { SizeInGiB: 50 }],
    ['svc-sigma-text', '1024', '4096', undefined],
  ]);
  const containers = tasks.map(({ ContainerDefinitions }) => (ContainerDefinitions as Json[])[0]!);
  expect(containers.map(({ EntryPoint }) => EntryPoint)).toEqual([
    ['/usr/local/bin/entry', '/opt/hayabusa/hayabusa'],
    ['/usr/local/bin/entry', '/opt/chopchopgo/ChopChopGo'],
  ]);
  // Each is built around another, which is a part of its name.
  expect(new Set(containers.map(({ Image }) => JSON.stringify(Image))).size).toBe(2);
});

it('have nothing to write to but two volumes, no root, no capability, no variable and no secret', () => {
  for (const { properties } of all('AWS::ECS::TaskDefinition')) {
    const { ContainerDefinitions, Volumes } = properties as {
      ContainerDefinitions: Record<string, unknown>[];
      Volumes: unknown;
    };
    expect(Volumes).toEqual([{ Name: 'work' }, { Name: 'tmp' }]);
    expect(ContainerDefinitions).toHaveLength(1);
    const [{ Environment, Secrets, Command, ...container }] = ContainerDefinitions as [Record<string, unknown>];
    expect([Environment, Secrets, Command]).toEqual([undefined, undefined, undefined]);
    expect(container).toMatchObject({
      Name: 'engine',
      User: '65532',
      ReadonlyRootFilesystem: true,
      LinuxParameters: { Capabilities: { Drop: ['ALL'] }, InitProcessEnabled: true },
      MountPoints: [
        { ContainerPath: '/work', SourceVolume: 'work' },
        { ContainerPath: '/tmp', SourceVolume: 'tmp' },
      ],
    });
  }
});

it('may do nothing: what fetches their image and writes their log is another role', () => {
  const attached = new Set(
    all('AWS::IAM::Policy').flatMap(({ properties }) => textsIn(properties['Roles']).map(({ text }) => text)),
  );
  const tasks = all('AWS::ECS::TaskDefinition').map(({ properties }) => textsIn(properties['TaskRoleArn'])[0]!.text);
  expect(tasks).toHaveLength(2);
  expect(tasks.filter((role) => roles.has(role) && attached.has(role))).toEqual([]);
  const given = all('AWS::IAM::Role').filter(
    ({ properties }) => 'ManagedPolicyArns' in properties || 'Policies' in properties,
  );
  expect(given.map(({ name }) => name).filter((name) => !/CustomS3AutoDelete/.test(name))).toEqual([]);
  const allowed = allowedTo(all('AWS::IAM::Policy')).flatMap(({ actions }) => actions);
  expect(new Set(allowed)).toEqual(
    new Set([
      'ecr:BatchCheckLayerAvailability',
      'ecr:BatchGetImage',
      'ecr:GetAuthorizationToken',
      'ecr:GetDownloadUrlForLayer',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]),
  );
});

it('reach no database and no cache: these let in their clients alone, of whom engines are none', () => {
  template.resourceCountIs('AWS::EC2::SecurityGroupIngress', 0);
  template.hasResourceProperties('AWS::EC2::SecurityGroup', {
    SecurityGroupEgress: [Match.objectLike({ CidrIp: '0.0.0.0/0', IpProtocol: 'tcp', FromPort: 443, ToPort: 443 })],
    SecurityGroupIngress: Match.absent(),
  });
  template.resourceCountIs('AWS::EC2::SecurityGroup', 1);
  expect(JSON.stringify(template.toJSON())).not.toMatch(/svc-data/);
  expect(JSON.stringify(installation.templates.data.toJSON())).not.toMatch(/svc-engines/);
});

it('stay within the VPC where it has endpoints for them', () => {
  const app = new App({ context: { ...cdk.context, ...context, engineEndpoints: true } });
  const settings = readSettings(app.node);
  const network = new NetworkStack(app, 'svc-network', { settings });
  const closed = new EnginesStack(app, 'svc-engines', { settings, network });
  Template.fromStack(closed).resourcePropertiesCountIs('AWS::EC2::VPCEndpoint', { VpcEndpointType: 'Interface' }, 3);
  const subnetsOf = (stack: EnginesStack): string => JSON.stringify(stack.resolve(stack.variables.ENGINE_SUBNETS));
  expect(subnetsOf(closed)).toMatch(/isolated/i);
  expect(subnetsOf(installation.engines!)).not.toMatch(/isolated/i);
  const { violations } = new AwsSolutionsChecks().validateScope(app);
  expect(violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([]);
});

it('read and leave what is deleted within a day, and cost nothing while nobody runs them', () => {
  template.hasResourceProperties('AWS::S3::Bucket', {
    LifecycleConfiguration: { Rules: [Match.objectLike({ ExpirationInDays: 1, Status: 'Enabled' })] },
    VersioningConfiguration: Match.absent(),
  });
  template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
  expect(idleCost({ engines: template.toJSON() })).toEqual([]);
});

it('are run by workers alone, which may run these, and pass on these roles', () => {
  const allowed = allowedTo(resourcesIn('service', service));
  const of = (action: string) => allowed.filter(({ actions }) => actions.includes(action));
  const stopping = of('ecs:StopTask');
  expect(stopping.map(({ name }) => name)).toEqual([expect.stringMatching(/WorkersTaskTaskRole/)]);
  expect(stopping[0]!.resources).toEqual([expect.stringContaining(':task/svc-engines/*')]);
  const running = of('ecs:RunTask').filter(({ name }) => name === stopping[0]!.name);
  expect(running.flatMap(({ resources }) => resources)).toEqual([
    expect.stringContaining(':task-definition/svc-evtx-timeline:*'),
    expect.stringContaining(':task-definition/svc-sigma-text:*'),
  ]);
  const passing = of('iam:PassRole').filter(({ name }) => name === stopping[0]!.name);
  expect(passing.flatMap(({ resources }) => resources).filter((role) => !role.includes('svc-engines'))).toEqual([]);
  expect(passing.flatMap(({ resources }) => resources)).toHaveLength(4);
});

it('are told to workers as they read it', () => {
  service.hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [
      Match.objectLike({
        Name: 'worker',
        Environment: Match.arrayWith([
          { Name: 'ENGINE_TASKS', Value: 'evtx-timeline=svc-evtx-timeline:2,sigma-text=svc-sigma-text:7' },
          { Name: 'ENGINE_CLUSTER', Value: 'svc-engines' },
        ]),
      }),
    ],
  });
});

const settingsOf = (engines: unknown) =>
  readSettings({ getAllContext: () => ({ engines }) } as unknown as Parameters<typeof readSettings>[0]);

const { image } = enginesOfOthers['sigma-text'];

it('are read from the command line, too', () => {
  expect(settingsOf(JSON.stringify({ 'sigma-text': { image, cpu: 512, memoryMiB: 2048 } })).engines).toEqual({
    'sigma-text': { image, cpu: 512, memoryMiB: 2048, maxTasks: 2, ephemeralStorageGiB: 20 },
  });
});

it.each([
  [{ 'sigma-text': { image: 'chopchopgo:latest' } }, 'must name an image by its digest'],
  [{ 'sigma-text': { image, cpu: 1024, memoryMiB: 1024 } }, 'no size that Fargate has'],
  [{ 'sigma-text': { image, cpu: 1000 } }, 'no size that Fargate has'],
  [{ 'sigma-text': {} }, 'image'],
  [{ 'sigma-native': {} }, 'sigma-native'],
  ['sigma-text', 'engines'],
])('%j is refused', (engines, sentence) => {
  expect(() => settingsOf(engines)).toThrow(sentence);
});

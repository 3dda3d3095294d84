import { Match, type Template } from 'aws-cdk-lib/assertions';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { enginesOfOthers } from './engines-of-others.ts';
import { allowedTo, resourcesOf } from './resources.ts';
import { synthesised, synthesisedLocally } from './synth.ts';

describe.each(['small', 'ha'])('size %s', (size) => {
  const { data, network, storage } = synthesised({ size }).templates;
  const isHa = size === 'ha';

  it('has as many of each thing as it needs to stand the loss of one', () => {
    data.hasResourceProperties('AWS::RDS::DBInstance', { MultiAZ: isHa });
    data.hasResourceProperties('AWS::ElastiCache::ReplicationGroup', {
      AutomaticFailoverEnabled: isHa,
      MultiAZEnabled: isHa,
      ReplicasPerNodeGroup: isHa ? 1 : 0,
    });
    network.resourceCountIs('AWS::EC2::NatGateway', isHa ? 3 : 1);
  });

  it('reaches S3 and DynamoDB without NAT, and logs who talks to whom', () => {
    network.resourcePropertiesCountIs('AWS::EC2::VPCEndpoint', { VpcEndpointType: 'Gateway' }, 2);
    network.hasResourceProperties('AWS::EC2::FlowLog', { TrafficType: 'ALL' });
  });

  it('changes the password of the database every month, from where Secrets Manager is reached', () => {
    data.hasResourceProperties('AWS::SecretsManager::RotationSchedule', {
      RotationRules: { ScheduleExpression: 'rate(30 days)' },
    });
    const [rotation] = Object.values(data.findResources('AWS::Serverless::Application'));
    expect(JSON.stringify(rotation)).toMatch(/vpcSubnetIds.*private/i);
  });

  it('expires tasks of the ledger', () => {
    storage.hasResourceProperties('AWS::DynamoDB::Table', {
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });
});

it('leaves it to the service how long objects are kept, and keeps what it deletes for a while', () => {
  const context = { size: 'small', uploadRetentionDays: 30, outputRetentionDays: 0, backupRetentionDays: 14 };
  const { storage } = synthesised(context).templates;
  const rules = (id: string): unknown => {
    const [[, bucket]] = Object.entries(storage.findResources('AWS::S3::Bucket')).filter(([name]) =>
      name.startsWith(id),
    ) as [[string, { Properties: { LifecycleConfiguration: { Rules: unknown } } }]];
    return bucket.Properties.LifecycleConfiguration.Rules;
  };
  const recoverable = { NoncurrentVersionExpiration: { NoncurrentDays: 14 } };
  const tidy = expect.objectContaining({ ExpiredObjectDeleteMarker: true });
  // The service counts from the last analysis of a file, which a bucket knows nothing of.
  // Answers for one client are neither uploads nor worth getting back.
  const answers = {
    ExpirationInDays: 1,
    Id: 'answers',
    NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    Prefix: 'answers/',
    Status: 'Enabled',
  };
  const ofUploads = [expect.objectContaining(recoverable) as unknown, answers, tidy as unknown];
  expect(rules('Uploads')).toEqual(ofUploads);
  expect(JSON.stringify(rules('Uploads')).match(/ExpirationInDays/g)).toHaveLength(1);
  expect(rules('Outputs')).toEqual([
    expect.objectContaining({
      ...recoverable,
      Transitions: [{ StorageClass: 'GLACIER_IR', TransitionInDays: 90 }],
    }),
    tidy,
  ]);
});

it('lets the periodic tasks alone delete versions, and of uploads alone', () => {
  const erasing = allowedTo(resourcesOf('ha')).filter(({ actions }) =>
    actions.some((action) => /^s3:(DeleteObjectVersion|ListBucketVersions)$/.test(action)),
  );
  expect(erasing.map(({ name }) => name)).toEqual([
    expect.stringMatching(/Maintenance/),
    expect.stringMatching(/Maintenance/),
  ]);
  expect(JSON.stringify(erasing.map(({ resources }) => resources))).not.toMatch(/Outputs|Packs/);
});

it('gives LocalStack buckets and ledger that go with their stack', () => {
  const { storage } = synthesisedLocally().templates;
  storage.resourceCountIs('AWS::S3::Bucket', 3);
  storage.allResources('AWS::S3::Bucket', Match.objectLike({ DeletionPolicy: 'Delete' }));
  storage.hasResource('AWS::DynamoDB::Table', { DeletionPolicy: 'Delete' });
});

it('gives LocalStack nothing that its community edition lacks, and says what gateway and workers must know', () => {
  const { storage, queues } = synthesisedLocally().templates;
  const resources = [storage, queues].flatMap((template) => Object.values(template.toJSON()['Resources'] as object));
  expect(new Set(resources.map(({ Type }: { Type: string }) => Type))).toEqual(
    new Set([
      'AWS::S3::Bucket',
      'AWS::S3::BucketPolicy',
      'AWS::DynamoDB::Table',
      'AWS::SQS::Queue',
      'AWS::SQS::QueuePolicy',
    ]),
  );
  const environment = JSON.stringify(queues.findOutputs('Environment'));
  for (const name of ['S3_BUCKET', 'TASKQ_SQS_URL', 'TASKQ_SQS_HEAVY_URL', 'TASKQ_LEDGER_TABLE']) {
    expect(environment).toContain(name);
  }
});

it.each([
  [{ size: 'huge' }, 'size'],
  [{ sise: 'ha' }, 'sise'],
  [{ logRetentionDays: 31 }, 'logRetentionDays: must be one of 1, 3, 5'],
  [{ backupRetentionDays: 36 }, 'backupRetentionDays'],
  [{ domain: 'logs.example.org' }, 'domain and certificateArn go together'],
  [{ domain: 'a.example', certificateArn: 'arn:aws:acm:eu-west-1:1:certificate/1' }, 'must be of us-east-1'],
  [{ waf: 'true' }, 'waf'],
  [{ originCertificateArn: 'arn:aws:acm:eu-west-1:1:certificate/1' }, 'originCertificateArn needs a domain'],
  [
    {
      domain: 'a.example',
      certificateArn: 'arn:aws:acm:us-east-1:1:certificate/1',
      originCertificateArn: 'arn:aws:acm:eu-west-1:1:certificate/2',
      region: 'eu-central-1',
    },
    'originCertificateArn must be of the region',
  ],
  [{ budgetUsd: 100 }, 'budgetUsd needs alarmEmail'],
  [{ size: 'ha', zones: 'eu-central-1a,eu-central-1b' }, 'size ha needs three zones'],
  [{ size: 'ha', region: 'us-west-1' }, 'most accounts see two in us-west-1'],
  [{ zones: 'eu-central-1a,eu-west-1b', region: 'eu-central-1' }, 'zones must be of the region'],
  [{ zones: 'eu-central-1a' }, 'zones'],
  [{ environment: { MAX_UPLOAD_SIZE_MB: 'much' } }, 'environment: MAX_UPLOAD_SIZE_MB'],
  [{ environment: { DATABASE_URL: 'postgresql://elsewhere' } }, 'Unrecognized key: "DATABASE_URL"'],
  [{ environment: { MAX_UPLOAD_SIZE_MB: 5000 } }, 'more than a worker of size small has room for: 24 GiB'],
])('names what is wrong in the context: %j', (context, sentence) => {
  const attempt = (): unknown => synthesised(context);
  expect(attempt).toThrow('Wrong settings in the CDK context: ');
  expect(attempt).toThrow(sentence);
});

it('takes a whole context, texts as the command line gives them', () => {
  const { settings } = synthesised({
    gateway: 'true',
    backupRetentionDays: '35',
    region: 'us-east-1',
    waf: 'managed',
  });
  expect(settings).toMatchObject({ gateway: true, backupRetentionDays: 35, waf: 'managed', size: 'small' });
});

it('gives the operator’s settings to everything that runs, and room for logs of 4 GB', () => {
  for (const size of ['small', 'ha']) {
    const { service } = synthesised({ size, environment: '{"MAX_UPLOAD_SIZE_MB":4096,"LOG_LEVEL":"DEBUG"}' }).templates;
    const given = { MAX_UPLOAD_SIZE_MB: '4096', LOG_LEVEL: 'DEBUG' };
    for (const [id, { Properties }] of Object.entries(service.findResources('AWS::Lambda::Function'))) {
      if (!/^(Areas|FastLane|Maintenance)/.test(id)) continue;
      expect((Properties as { Environment: { Variables: object } }).Environment.Variables).toMatchObject(given);
    }
    const tasks = Object.values(service.findResources('AWS::ECS::TaskDefinition'));
    expect(tasks.length).toBeGreaterThan(0);
    for (const task of tasks) expect(JSON.stringify(task)).toContain('{"Name":"MAX_UPLOAD_SIZE_MB","Value":"4096"}');
    const storage = tasks.map(({ Properties }) => (Properties as { EphemeralStorage?: object }).EphemeralStorage);
    expect(storage).toContainEqual(size === 'ha' ? { SizeInGiB: 40 } : undefined);
  }
});

it('leaves a new account, which runs ten functions at once, more of them than small files take', () => {
  synthesised({ size: 'small' }).templates.service.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    ScalingConfig: { MaximumConcurrency: 4 },
  });
});

it('lies in the zones that it is told', () => {
  const zones = ['us-west-2a', 'us-west-2c', 'us-west-2d'];
  const { network } = synthesised({ size: 'ha', region: 'us-west-2', zones: zones.join() }).templates;
  const subnets = Object.values(network.findResources('AWS::EC2::Subnet')) as {
    Properties: { AvailabilityZone: string };
  }[];
  expect([...new Set(subnets.map(({ Properties }) => Properties.AvailabilityZone))].sort()).toEqual(zones);
});

it('names in the commands of docs/aws.md only what the stacks tell', () => {
  const text = readFileSync(new URL('../../docs/aws.md', import.meta.url), 'utf8');
  const { enginesTemplate, templates: always } = synthesised({ size: 'small', engines: enginesOfOthers });
  const templates: Readonly<Record<string, Template>> = { ...always, engines: enginesTemplate! };
  const named = [...text.matchAll(/\bout ([a-z]+) ([A-Z]\w+)/g)].map(([, stack = '', name = '']) => ({ stack, name }));
  expect(named.length).toBeGreaterThan(10);
  expect(
    named.filter(({ stack, name }) => Object.keys(templates[stack]?.findOutputs(name) ?? {}).length === 0),
  ).toEqual([]);
});

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { allowedTo, resourcesOf, textsIn, type Resource } from './resources.ts';
import { synthesised } from './synth.ts';

/** Actions that know no resource, or whose resource is only known when they are taken, and why that is well. */
const mustBeEverywhere: Readonly<Record<string, string>> = {
  'xray:PutTraceSegments': 'traces have no resource',
  'xray:PutTelemetryRecords': 'traces have no resource',
  'ecs:ListTasks': 'a condition names the cluster',
  'ecr:GetAuthorizationToken': 'a token is for the registry of the account',
};

const holdsData = new Set(['AWS::S3::Bucket', 'AWS::DynamoDB::Table', 'AWS::RDS::DBInstance']);
/** What every deployment brings whole. */
const deployedAgain = /^edge\/SiteBucket/;
const outlives = new Set<unknown>(['Retain', 'Snapshot']);

describe.each(['small', 'ha'])('size %s', (size) => {
  const resources = resourcesOf(size);
  const all = (type: string): Resource[] => resources.filter((resource) => resource.type === type);
  /** Names of those whose properties are not like this. */
  const unlike = (type: string, wanted: Readonly<Record<string, unknown>>): string[] => {
    const existing = all(type);
    expect(existing.length).toBeGreaterThan(0);
    return existing
      .filter(({ properties }) =>
        Object.entries(wanted).some(([name, value]) => !isDeepStrictEqual(properties[name], value)),
      )
      .map(({ name }) => name);
  };

  it('gives the data stores no public address', () => {
    expect(unlike('AWS::RDS::DBInstance', { PubliclyAccessible: false })).toEqual([]);
    expect(unlike('AWS::EC2::Subnet', { MapPublicIpOnLaunch: false })).toEqual([]);
  });

  it('lets nobody in from anywhere', () => {
    const open = resources.filter(({ type, properties }) => {
      const ingress = type === 'AWS::EC2::SecurityGroupIngress' ? properties : properties['SecurityGroupIngress'];
      return textsIn(ingress).some(({ path, text }) => /CidrIp(v6)?$/.test(path) && /^(0\.0\.0\.0|::)\/0$/.test(text));
    });
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('keeps each bucket private, encrypted and for TLS alone', () => {
    const blocked = ['BlockPublicAcls', 'BlockPublicPolicy', 'IgnorePublicAcls', 'RestrictPublicBuckets'];
    const PublicAccessBlockConfiguration = Object.fromEntries(blocked.map((name) => [name, true]));
    expect(unlike('AWS::S3::Bucket', { PublicAccessBlockConfiguration })).toEqual([]);
    expect(all('AWS::S3::Bucket').filter(({ properties }) => properties['BucketEncryption'] === undefined)).toEqual([]);
    const refusing = all('AWS::S3::BucketPolicy').filter(({ properties }) =>
      JSON.stringify(properties).includes('{"Bool":{"aws:SecureTransport":"false"}}'),
    );
    expect(refusing).toHaveLength(all('AWS::S3::Bucket').length);
  });

  it('encrypts what is stored and what is sent', () => {
    expect(unlike('AWS::RDS::DBInstance', { StorageEncrypted: true })).toEqual([]);
    expect(unlike('AWS::RDS::DBProxy', { RequireTLS: true })).toEqual([]);
    const inTransit = { TransitEncryptionEnabled: true, TransitEncryptionMode: 'required' };
    expect(unlike('AWS::ElastiCache::ReplicationGroup', { ...inTransit, AtRestEncryptionEnabled: true })).toEqual([]);
    expect(unlike('AWS::SQS::Queue', { SqsManagedSseEnabled: true })).toEqual([]);
    const parameters = all('AWS::RDS::DBParameterGroup').map(({ properties }) => properties['Parameters']);
    expect(parameters).toEqual([expect.objectContaining({ 'rds.force_ssl': '1' })]);
  });

  it('has the database log no values, as server-database.integration.test.ts shows that these settings do', () => {
    const [{ Parameters }] = all('AWS::RDS::DBParameterGroup').map(({ properties }) => properties) as [
      Resource['properties'],
    ];
    expect(Parameters).toMatchObject({
      log_parameter_max_length: '0',
      log_parameter_max_length_on_error: '0',
      log_min_messages: 'log',
    });
    // What would log plans, with parameters of its own, is not loaded.
    expect(Parameters).not.toHaveProperty('shared_preload_libraries');
    expect(unlike('AWS::RDS::DBProxy', { DebugLogging: undefined })).toEqual([]);
  });

  it('takes no password for the database but IAM’s tokens', () => {
    const [proxy] = all('AWS::RDS::DBProxy');
    expect(proxy?.properties).toMatchObject({ DefaultAuthScheme: 'IAM_AUTH' });
    expect(proxy?.properties['Auth']).toBeUndefined();
    expect(unlike('AWS::RDS::DBInstance', { EnableIAMDatabaseAuthentication: true })).toEqual([]);
  });

  it('lets what serves sign in as the role that may change no table, and migrations alone read the owner’s password', () => {
    const allowed = allowedTo(resources);
    const connecting = allowed.filter(({ actions }) => actions.includes('rds-db:connect'));
    expect(connecting.length).toBeGreaterThan(8);
    expect(connecting.filter(({ resources: on }) => !on.every((one) => /\/svc_service"/.test(one)))).toEqual([]);
    const reading = allowed.filter(
      ({ actions, resources: on }) =>
        actions.includes('secretsmanager:GetSecretValue') && on.some((one) => one.includes('DatabaseInstanceSecret')),
    );
    expect(reading.map(({ name }) => name.split('/')[1]?.replace(/[0-9A-F]{8}$/, ''))).toEqual([
      expect.stringMatching(/^Migrations/),
    ]);
  });

  it('evicts no counter of the key-value store', () => {
    const [parameters, ...more] = all('AWS::ElastiCache::ParameterGroup');
    expect(parameters?.properties).toMatchObject({ Properties: { 'maxmemory-policy': 'noeviction' } });
    expect(more).toEqual([]);
  });

  it('allows no role everything, and nothing everywhere without a reason', () => {
    const allowed = allowedTo(resources);
    expect(allowed.length).toBeGreaterThan(0);
    const broad = allowed.flatMap(({ name, actions }) =>
      actions.filter((action) => action === '*' || action.endsWith(':*')).map((action) => `${name} ${action}`),
    );
    const everywhere = allowed
      .filter(({ resources: on }) => on.includes('*'))
      .flatMap(({ name, actions }) =>
        actions.filter((one) => !(one in mustBeEverywhere)).map((one) => `${name} ${one}`),
      );
    expect({ broad, everywhere }).toEqual({ broad: [], everywhere: [] });
  });

  it('protects what holds data from being deleted with its stack', () => {
    const unprotected = resources.filter(
      ({ name, type, deletionPolicy }) =>
        holdsData.has(type) && !outlives.has(deletionPolicy) && !deployedAgain.test(name),
    );
    expect(unprotected.map(({ name }) => name)).toEqual([]);
    expect(unlike('AWS::RDS::DBInstance', { DeletionProtection: true })).toEqual([]);
    expect(unlike('AWS::DynamoDB::Table', { DeletionProtectionEnabled: true })).toEqual([]);
    const { data, storage } = synthesised({ size }).stacks;
    expect([data.terminationProtection, storage.terminationProtection]).toEqual([true, true]);
  });

  it('ends every log some day', () => {
    const endless = all('AWS::Logs::LogGroup').filter(
      ({ properties }) => typeof properties['RetentionInDays'] !== 'number',
    );
    expect(endless.map(({ name }) => name)).toEqual([]);
  });

  it('ends those of the functions that the CDK brings as soon as those of the service’s own', () => {
    expect(unlike('AWS::Logs::LogGroup', { RetentionInDays: 30 })).toEqual([]);
    const helpers = all('AWS::Lambda::Function').filter(({ properties }) => properties['LoggingConfig'] === undefined);
    const named = JSON.stringify(all('AWS::Logs::LogGroup').map(({ properties }) => properties['LogGroupName']));
    expect(helpers.filter(({ name }) => !named.includes(`{"Ref":"${name.split('/')[1]}"}`))).toEqual([]);
    const [application] = all('AWS::Serverless::Application');
    const { functionName } = application!.properties['Parameters'] as { functionName: string };
    expect(named).toContain(`"/aws/lambda/${functionName}"`);
  });

  it('tags every stack, and by it what it makes, with service and part, which never change', () => {
    const { stacks } = synthesised({ size });
    for (const [part, stack] of Object.entries(stacks)) {
      expect(stack.tags.tagValues()).toEqual({ service: 'svc', part });
    }
  });

  it('writes no secret into a template', () => {
    const secret = /(password|secret(string|key)?|authtoken|_key|apikey|private_?key)$/i;
    const inClear = resources.flatMap(({ name, properties }) =>
      textsIn(properties)
        .filter(({ path, text }) => secret.test(path) && !text.startsWith('{{resolve:'))
        .map(({ path }) => `${name} ${path}`),
    );
    expect(inClear).toEqual([]);
    const token = all('AWS::ElastiCache::ReplicationGroup').map(({ properties }) =>
      JSON.stringify(properties['AuthToken']),
    );
    expect(token.every((one) => one.includes('{{resolve:secretsmanager:'))).toBe(true);
  });
});

import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { synthesised } from './synth.ts';

describe.each(['small', 'ha'])('size %s', (size) => {
  const { data, storage } = synthesised({ size }).templates;

  it('keeps the database private, encrypted and protected', () => {
    data.hasResourceProperties('AWS::RDS::DBInstance', {
      StorageEncrypted: true,
      PubliclyAccessible: false,
      DeletionProtection: true,
      MultiAZ: size === 'ha',
    });
  });

  it('expires tasks of the ledger', () => {
    storage.hasResourceProperties('AWS::DynamoDB::Table', {
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  it('opens no bucket to the public', () => {
    storage.allResourcesProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: Match.objectLike({ BlockPublicAcls: true, RestrictPublicBuckets: true }),
    });
  });
});

it('names what is wrong in the context', () => {
  expect(() => synthesised({ size: 'huge' })).toThrow('Wrong settings in the CDK context: size');
});

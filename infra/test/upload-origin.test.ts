import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { UploadOrigin } from '../constructs/upload-origin.ts';
import { synthesised } from './synth.ts';

it('lets browsers send uploads and fetch answers from the domain alone', () => {
  const certificateArn = 'arn:aws:acm:us-east-1:111111111111:certificate/1';
  const { storage } = synthesised({ size: 'small', domain: 'logs.example.org', certificateArn }).templates;
  storage.hasResourceProperties('AWS::S3::Bucket', {
    CorsConfiguration: {
      CorsRules: [Match.objectLike({ AllowedMethods: ['GET', 'PUT'], AllowedOrigins: ['https://logs.example.org'] })],
    },
  });
});

it('says so afterwards where the host is CloudFront’s, with the right to do just that', () => {
  const app = new App({ context: cdk.context });
  const stack = new Stack(app, 'Edge');
  const bucket = Bucket.fromBucketName(stack, 'Uploads', 'uploads');
  new UploadOrigin(stack, 'UploadOrigin', { bucket, origin: 'https://d1.cloudfront.net' });
  const template = Template.fromStack(stack);
  expect(JSON.stringify(template.findResources('Custom::AWS'))).toContain('https://d1.cloudfront.net');
  template.hasResourceProperties('AWS::IAM::Policy', {
    PolicyDocument: Match.objectLike({ Statement: [Match.objectLike({ Action: 's3:PutBucketCORS' })] }),
  });
  expect(new AwsSolutionsChecks().validateScope(app).violations).toEqual([]);
});

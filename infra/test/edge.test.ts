import { Match } from 'aws-cdk-lib/assertions';
import { edgeHeaders, securityHeadersFor } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { synthesised } from './synth.ts';

const template = synthesised().templates.edge;

interface Behavior {
  readonly PathPattern?: string;
  readonly TargetOriginId: string;
  readonly ViewerProtocolPolicy: string;
  readonly Compress: boolean;
  readonly FunctionAssociations?: readonly unknown[];
}

interface DistributionConfig {
  readonly DefaultCacheBehavior: Behavior;
  readonly CacheBehaviors: readonly Behavior[];
  readonly Origins: readonly { readonly Id: string; readonly OriginCustomHeaders?: readonly object[] }[];
}

function distribution(from = template): DistributionConfig {
  const [found] = Object.values(from.findResources('AWS::CloudFront::Distribution'));
  return (found as { Properties: { DistributionConfig: DistributionConfig } }).Properties.DistributionConfig;
}

describe('the edge', () => {
  it('speaks HTTP/3 and TLS only, compresses and keeps logs', () => {
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        HttpVersion: 'http2and3',
        Logging: Match.objectLike({ IncludeCookies: false }),
      }),
    });
    const { DefaultCacheBehavior, CacheBehaviors } = distribution();
    for (const behavior of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect(behavior).toMatchObject({ ViewerProtocolPolicy: 'redirect-to-https', Compress: true });
    }
  });

  it('asks its function about everything but assets', () => {
    const { DefaultCacheBehavior, CacheBehaviors } = distribution();
    const byPath = [DefaultCacheBehavior, ...CacheBehaviors].map((behavior) => [
      behavior.PathPattern ?? '*',
      behavior.TargetOriginId,
      behavior.FunctionAssociations?.length ?? 0,
    ]);
    expect(byPath).toEqual([
      ['*', 'site', 1],
      ['/assets/*', 'site', 0],
      ['/api/*', 'api', 1],
    ]);
    template.hasResourceProperties('AWS::CloudFront::Function', {
      FunctionConfig: Match.objectLike({ Runtime: 'cloudfront-js-2.0' }),
      FunctionCode: Match.stringLikeRegexp('selectRequestOriginById'),
    });
  });

  it('proves itself to the API by the secret key, whose value is in no template', () => {
    const api = distribution().Origins.find(({ Id }) => Id === 'api');
    expect(JSON.stringify(api?.OriginCustomHeaders)).toMatch(
      new RegExp(`"HeaderName":"${edgeHeaders.key}".*resolve:secretsmanager:.*:SecretString:EDGE_KEY::`),
    );
    expect(edgeHeaders.key).not.toMatch(/^x-(edge|amz)-/);
  });

  it('reads the bucket of the site, and nobody else does', () => {
    template.hasResourceProperties('AWS::CloudFront::OriginAccessControl', {
      OriginAccessControlConfig: Match.objectLike({ SigningBehavior: 'always' }),
    });
    template.allResourcesProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: Match.objectLike({ BlockPublicAcls: true, RestrictPublicBuckets: true }),
    });
  });

  it('puts on the site what the functions put on their answers', () => {
    const [policy] = Object.values(template.findResources('AWS::CloudFront::ResponseHeadersPolicy'));
    const config = (policy as { Properties: { ResponseHeadersPolicyConfig: Record<string, object> } }).Properties
      .ResponseHeadersPolicyConfig;
    const expected = securityHeadersFor({ contentSecurityPolicy: true, uploadOrigin: '', hstsSeconds: 63_072_000 });
    const security = config['SecurityHeadersConfig'] as Record<string, Record<string, unknown>>;
    expect(JSON.stringify(security['ContentSecurityPolicy'])).toContain(expected['content-security-policy']!.trim());
    expect(security).toMatchObject({
      FrameOptions: { FrameOption: expected['x-frame-options'], Override: false },
      ReferrerPolicy: { ReferrerPolicy: expected['referrer-policy'], Override: false },
      StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, IncludeSubdomains: true, Override: false },
    });
    expect(config['CustomHeadersConfig']).toEqual({
      Items: [{ Header: 'permissions-policy', Value: expected['permissions-policy'], Override: false }],
    });
  });

  it('deploys assets for ever, and the shell that names them last, for nobody to keep', () => {
    const deployments = Object.values(template.findResources('Custom::CDKBucketDeployment')) as {
      Properties: { SystemMetadata: { 'cache-control': string }; Prune: boolean; Include?: string[] };
      DependsOn?: string[];
    }[];
    const shell = deployments.find(({ Properties }) => Properties.Include?.includes('index.html'));
    expect(shell?.Properties).toMatchObject({ Prune: false, SystemMetadata: { 'cache-control': 'no-store, private' } });
    expect(shell?.DependsOn?.filter((name) => /Assets|Files/.test(name)).length).toBeGreaterThanOrEqual(2);
    const assets = deployments.find(({ Properties }) => Properties.Include?.includes('assets/*'));
    expect(assets?.Properties).toMatchObject({
      Prune: false,
      SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
    });
  });
});

const certificateArn = 'arn:aws:acm:us-east-1:111111111111:certificate/1';

it('answers to a domain of one’s own by TLS 1.2 and newer', () => {
  synthesised({ domain: 'logs.example.org', certificateArn }).templates.edge.hasResourceProperties(
    'AWS::CloudFront::Distribution',
    {
      DistributionConfig: Match.objectLike({
        Aliases: ['logs.example.org'],
        ViewerCertificate: Match.objectLike({ MinimumProtocolVersion: 'TLSv1.2_2021' }),
      }),
    },
  );
});

it('has a firewall on demand, which counts what looks into bodies', () => {
  const guarded = synthesised({ waf: true, region: 'us-east-1' }).templates.edge;
  guarded.hasResourceProperties('AWS::WAFv2::WebACL', {
    Scope: 'CLOUDFRONT',
    Rules: Match.arrayWith([
      Match.objectLike({ Statement: { RateBasedStatement: Match.objectLike({ AggregateKeyType: 'IP' }) } }),
    ]),
  });
  expect(JSON.stringify(distribution(guarded))).toContain('WebACLId');
  template.resourceCountIs('AWS::WAFv2::WebACL', 0);
});

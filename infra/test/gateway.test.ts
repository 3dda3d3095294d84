import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { synthesised } from './synth.ts';

describe('the gateway', () => {
  const { edge, operations, service } = synthesised({ size: 'ha' }).templates;

  it('is behind a load balancer that only CloudFront reaches', () => {
    service.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', { Scheme: 'internal' });
    edge.hasResourceProperties('AWS::CloudFront::VpcOrigin', {
      VpcOriginEndpointConfig: Match.objectLike({ OriginProtocolPolicy: 'http-only' }),
    });
    edge.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        CacheBehaviors: Match.arrayWith([Match.objectLike({ PathPattern: '/upload', TargetOriginId: 'gateway' })]),
        Origins: Match.arrayWith([
          Match.objectLike({
            Id: 'gateway',
            OriginCustomHeaders: [Match.objectLike({ HeaderName: 'x-origin-key' })],
            VpcOriginConfig: Match.objectLike({ OriginReadTimeout: 60, OriginKeepaliveTimeout: 55 }),
          }),
        ]),
      }),
    });
    edge.hasResourceProperties('AWS::CloudFront::Function', {
      FunctionCode: Match.stringLikeRegexp('isUpload&&true\\?"gateway"'),
    });
  });

  it('is reached by TLS where the domain has a certificate in its region', () => {
    const certificate = (region: string): string => `arn:aws:acm:${region}:111111111111:certificate/1`;
    const named = { size: 'ha', account: '111111111111', domain: 'logs.example.org' };
    const certificateArn = certificate('us-east-1');
    const originCertificateArn = certificate('eu-central-1');
    for (const [context, used] of [
      [{ region: 'us-east-1', certificateArn }, certificateArn],
      [{ region: 'eu-central-1', certificateArn, originCertificateArn }, originCertificateArn],
    ] as const) {
      const { templates } = synthesised({ ...named, ...context });
      templates.service.hasResourceProperties('AWS::ElasticLoadBalancingV2::Listener', {
        Port: 443,
        Protocol: 'HTTPS',
        Certificates: [{ CertificateArn: used }],
        SslPolicy: Match.stringLikeRegexp('TLS13'),
      });
      templates.edge.hasResourceProperties('AWS::CloudFront::VpcOrigin', {
        VpcOriginEndpointConfig: Match.objectLike({
          OriginProtocolPolicy: 'https-only',
          OriginSSLProtocols: ['TLSv1.2'],
        }),
      });
      // By which CloudFront knows the certificate.
      templates.edge.hasResourceProperties('AWS::CloudFront::Distribution', {
        DistributionConfig: Match.objectLike({
          Origins: Match.arrayWith([Match.objectLike({ Id: 'gateway', DomainName: 'logs.example.org' })]),
        }),
      });
    }
  });

  it('runs on files that it cannot change, as many times as needed, and goes back where it fails', () => {
    service.hasResourceProperties('AWS::ECS::TaskDefinition', {
      RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
      ContainerDefinitions: [
        Match.objectLike({
          Name: 'gateway',
          ReadonlyRootFilesystem: true,
          Secrets: Match.arrayWith([Match.objectLike({ Name: 'EDGE_KEY' })]),
          Environment: Match.arrayWith([{ Name: 'TASKQ_WORKERS', Value: '0' }]),
        }),
      ],
    });
    service.hasResourceProperties('AWS::ECS::Service', {
      DesiredCount: Match.absent(),
      DeploymentConfiguration: Match.objectLike({
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        MinimumHealthyPercent: 100,
      }),
    });
    service.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', { MinCapacity: 2, MaxCapacity: 6 });
  });

  it('hangs up on idle connections from the far end to the near one', () => {
    service.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      LoadBalancerAttributes: Match.arrayWith([{ Key: 'idle_timeout.timeout_seconds', Value: '60' }]),
    });
  });

  it('raises an alarm when it fails', () => {
    operations.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: Match.stringLikeRegexp('runbook.md#large-uploads-fail'),
    });
  });

  it('lets uploads end before a task goes', () => {
    service.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
      HealthCheckPath: '/health',
      TargetGroupAttributes: Match.arrayWith([{ Key: 'deregistration_delay.timeout_seconds', Value: '300' }]),
    });
  });
});

it('is left out of small, where files go past the service', () => {
  const { edge, service } = synthesised({ size: 'small' }).templates;
  service.resourceCountIs('AWS::ECS::Service', 0);
  edge.resourceCountIs('AWS::CloudFront::VpcOrigin', 0);
  expect(JSON.stringify(edge.findResources('AWS::CloudFront::Distribution'))).not.toContain('"gateway"');
});

import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
  type IOrigin,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin, VpcOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IApplicationLoadBalancer } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { edgeHeaders } from '@svc/contracts';
import { Construct } from 'constructs';
import { viewerRequestCode } from '../edge/compile.ts';
import { acknowledge } from './acknowledge.ts';
import { securityHeadersPolicy } from './security-headers.ts';
import type { Site } from './site.ts';

export interface EdgeProps {
  readonly site: Site;
  /** Host of the HTTP API. */
  readonly apiHost: string;
  /** The internal load balancer of the gateway, where there is one. */
  readonly gateway: IApplicationLoadBalancer | null;
  /** The name on the load balancer's certificate, for TLS on the way to it; null for plain HTTP inside the VPC. */
  readonly gatewayName: string | null;
  /** What proves to the origins that a request came this way. */
  readonly edgeKey: string;
  /** Origin of the bucket that browsers send files to. */
  readonly uploadOrigin: string;
  readonly hstsSeconds: number;
  readonly domain: { readonly name: string; readonly certificateArn: string } | null;
  readonly firewallArn: string | null;
  readonly logDays: number;
}

/** The one address of the service: CloudFront before the site's bucket, the HTTP API and the gateway. */
export class Edge extends Construct {
  readonly distribution: Distribution;
  /** Where CloudFront's standard logs go, by a delivery that another region may have to make. */
  readonly logs: Bucket;

  constructor(scope: Construct, id: string, props: EdgeProps) {
    super(scope, id);
    const { domain, firewallArn } = props;
    const origins = originsOf(props);
    const secure = {
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      compress: true,
      responseHeadersPolicy: securityHeadersPolicy(this, 'SecurityHeaders', {
        contentSecurityPolicy: true,
        uploadOrigin: props.uploadOrigin,
        hstsSeconds: props.hstsSeconds,
      }),
    };
    const asked = {
      ...secure,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: uncached(this),
      // Everything but Host, by which API Gateway finds its API; Authorization goes with no narrower policy.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: [{ function: viewerRequest(this, props), eventType: FunctionEventType.VIEWER_REQUEST }],
    };
    this.distribution = new Distribution(this, 'Distribution', {
      comment: 'Log analysis service',
      defaultBehavior: { ...asked, origin: origins.site },
      // A distribution has only origins that a path leads to; the function picks them by name for all others.
      additionalBehaviors: {
        '/assets/*': { ...secure, origin: origins.site, cachePolicy: CachePolicy.CACHING_OPTIMIZED },
        '/api/*': { ...asked, origin: origins.api },
        ...(origins.gateway && { '/upload': { ...asked, origin: origins.gateway } }),
      },
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      ...(domain && {
        domainNames: [domain.name],
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
      ...(firewallArn !== null && { webAclId: firewallArn }),
    });
    this.logs = logBucket(this, props.logDays);
    this.#acknowledge(props);
  }

  #acknowledge({ domain, firewallArn }: EdgeProps): void {
    acknowledge(this.distribution, ['CFR3'], 'Its standard logs are of the second kind, which edge-logs.ts delivers.');
    acknowledge(this.distribution, ['CFR1'], 'Incident responders work from anywhere.');
    Validations.of(this).acknowledge({
      id: 'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      reason: 'The function makes / the shell, and drops queries, so that no request lists the bucket.',
    });
    if (firewallArn === null) acknowledge(this.distribution, ['CFR2'], 'The setting waf leaves it out.');
    if (!domain) acknowledge(this.distribution, ['CFR4'], 'CloudFront’s own name comes with its own policy of TLS.');
  }
}

/** By the names that the function knows them by. */
function originsOf({ apiHost, edgeKey, gateway, gatewayName, site }: EdgeProps): {
  site: IOrigin;
  api: IOrigin;
  gateway?: IOrigin;
} {
  const customHeaders = { [edgeHeaders.key]: edgeKey };
  return {
    // With the right to list, a file that is not there is missing rather than forbidden.
    site: S3BucketOrigin.withOriginAccessControl(site.bucket, {
      originId: 'site',
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
    }),
    // API Gateway gives up after 30 seconds.
    api: new HttpOrigin(apiHost, { originId: 'api', customHeaders, readTimeout: Duration.seconds(30) }),
    ...(gateway && {
      gateway: VpcOrigin.withApplicationLoadBalancer(gateway, {
        originId: 'gateway',
        customHeaders,
        // CloudFront holds the certificate against this name; the way to a VPC origin is found without it.
        ...(gatewayName === null
          ? { protocolPolicy: OriginProtocolPolicy.HTTP_ONLY }
          : {
              protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
              domainName: gatewayName,
              originSslProtocols: [OriginSslPolicy.TLS_V1_2],
            }),
        // Storing a large upload takes the gateway a while after its last byte; its load balancer waits as long.
        readTimeout: Duration.seconds(60),
        keepaliveTimeout: Duration.seconds(55),
      }),
    }),
  };
}

function viewerRequest(scope: Construct, { gateway, site }: EdgeProps): EdgeFunction {
  const code = viewerRequestCode({ siteFiles: site.files, hasGateway: gateway !== null });
  return new EdgeFunction(scope, 'ViewerRequest', {
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(code),
  });
}

/**
 * CloudFront compresses only what its policy would let it cache. Every answer of the API forbids that, and
 * the shell does; should one forget, it would be kept for a second, for the same caller and question alone.
 */
function uncached(scope: Construct): CachePolicy {
  return new CachePolicy(scope, 'Uncached', {
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(1),
    headerBehavior: CacheHeaderBehavior.allowList('Authorization', 'Accept'),
    cookieBehavior: CacheCookieBehavior.all(),
    queryStringBehavior: CacheQueryStringBehavior.all(),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
  });
}

function logBucket(scope: Construct, days: number): Bucket {
  const bucket = new Bucket(scope, 'Logs', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    lifecycleRules: [{ expiration: Duration.days(days), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    removalPolicy: RemovalPolicy.RETAIN,
  });
  acknowledge(bucket, ['S1'], 'It holds logs itself, which nobody reads but the operator.');
  return bucket;
}

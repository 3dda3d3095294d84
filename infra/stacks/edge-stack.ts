import { ReferenceStrength, Stack, Token, type App } from 'aws-cdk-lib';
import { Environment } from '@svc/config';
import { Edge } from '../constructs/edge.ts';
import { allowDelivery, EdgeLogs, edgeLogsRegion } from '../constructs/edge-logs.ts';
import { output } from '../constructs/output.ts';
import { Site } from '../constructs/site.ts';
import { UploadOrigin } from '../constructs/upload-origin.ts';
import { webAcl } from '../constructs/web-acl.ts';
import { originCertificateOf, type Settings } from '../settings.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { ServiceStack } from './service-stack.ts';
import type { FirewallStack } from './firewall-stack.ts';
import type { StorageStack } from './storage-stack.ts';

export interface EdgeStackProps extends BaseProps {
  readonly data: DataStack;
  readonly storage: StorageStack;
  readonly service: ServiceStack;
  /** The firewall in its own region; null where this is that region, or where there is none. */
  readonly firewall: FirewallStack | null;
}

/** What the world sees: the site and the address of the service. */
export class EdgeStack extends BaseStack {
  readonly edge: Edge;
  /** Of the delivery of its logs; null where this stack makes it. */
  readonly deliveryElsewhere: string | null;

  constructor(app: App, id: string, props: EdgeStackProps) {
    super(app, id, props);
    const { data, service, settings, storage } = props;
    this.edge = new Edge(this, 'Edge', {
      site: new Site(this, 'Site'),
      apiHost: `${service.api.http.apiId}.execute-api.${this.region}.${this.urlSuffix}`,
      gateway: service.gateway?.loadBalancer ?? null,
      gatewayName: originCertificateOf(settings) === null ? null : (settings.domain ?? null),
      edgeKey: data.edgeKey.secretValueFromJson('EDGE_KEY').unsafeUnwrap(),
      uploadOrigin: `https://${storage.uploads.bucketRegionalDomainName}`,
      // As the functions, which get no value of their own for it.
      hstsSeconds: Environment.shape.HSTS_MAX_AGE.parse(undefined),
      domain: domainOf(settings),
      firewallArn: this.#firewallArn(props),
      logDays: settings.logRetentionDays,
    });
    this.deliveryElsewhere = this.#deliverLogs(settings);
    const host = settings.domain ?? this.edge.distribution.distributionDomainName;
    if (!settings.domain)
      new UploadOrigin(this, 'UploadOrigin', { bucket: storage.uploads, origin: `https://${host}` });
    output(this, 'Address', `https://${host}`);
    output(this, 'DistributionDomain', this.edge.distribution.distributionDomainName);
  }

  /** Here where this is the region for it; else another stack does, which is given the name. */
  #deliverLogs({ name }: Settings): string | null {
    const { distribution, logs } = this.edge;
    const isElsewhere = !Token.isUnresolved(this.region) && this.region !== edgeLogsRegion;
    // Installations of the same name may be in several regions, and deliver from one.
    const deliveryName = isElsewhere ? `${name}-edge-${this.region}` : `${name}-edge`;
    allowDelivery(logs, deliveryName);
    if (isElsewhere) return deliveryName;
    const { distributionArn } = distribution;
    const made = new EdgeLogs(this, 'EdgeLogs', { name: deliveryName, distributionArn, bucketArn: logs.bucketArn });
    made.node.addDependency(logs);
    return null;
  }

  #firewallArn({ firewall, settings: { name, waf } }: EdgeStackProps): string | null {
    if (waf === 'off') return null;
    // Read from the other region's stack when this one is deployed: exports do not leave their region.
    if (firewall) return Stack.consumeReference(firewall.arn, ReferenceStrength.WEAK);
    return webAcl(this, 'Firewall', { name: `${name}-edge`, managed: waf === 'managed' }).attrArn;
  }
}

function domainOf({ certificateArn, domain }: Settings): { name: string; certificateArn: string } | null {
  return domain !== undefined && certificateArn !== undefined ? { name: domain, certificateArn } : null;
}

import type { App, Stack } from 'aws-cdk-lib';
import { edgeLogsRegion } from './constructs/edge-logs.ts';
import { readSettings } from './settings.ts';
import { DataStack } from './stacks/data-stack.ts';
import { EdgeLogsStack } from './stacks/edge-logs-stack.ts';
import { EdgeStack } from './stacks/edge-stack.ts';
import { EnginesStack } from './stacks/engines-stack.ts';
import { FirewallStack, firewallRegion } from './stacks/firewall-stack.ts';
import { LocalServiceStack } from './stacks/local-service-stack.ts';
import { NetworkStack } from './stacks/network-stack.ts';
import { OperationsStack } from './stacks/operations-stack.ts';
import { ServiceStack } from './stacks/service-stack.ts';
import { StorageStack } from './stacks/storage-stack.ts';

/**
 * All stacks of one installation (architecture 2), as the context of the app wants them. LocalStack gets
 * what it knows: `onAws` is null there.
 */
export function defineService(app: App) {
  const settings = readSettings(app.node);
  const { account = process.env['CDK_DEFAULT_ACCOUNT'], region = process.env['CDK_DEFAULT_REGION'] } = settings;
  const env = { ...(account && { account }), ...(region && { region }) };
  const common = { env, settings };
  const stateful = { ...common, terminationProtection: !settings.localstack };

  const storage = new StorageStack(app, `${settings.name}-storage`, stateful);
  if (settings.localstack) {
    const queues = new LocalServiceStack(app, `${settings.name}-service`, { ...common, storage });
    return { settings, storage, queues, onAws: null };
  }

  const network = new NetworkStack(app, `${settings.name}-network`, common);
  const data = new DataStack(app, `${settings.name}-data`, { ...stateful, network });
  const hasEngines = Object.values(settings.engines).some((engine) => engine !== undefined);
  const engines = hasEngines ? new EnginesStack(app, `${settings.name}-engines`, { ...common, network }) : null;
  const service = new ServiceStack(app, `${settings.name}-service`, { ...common, network, data, storage, engines });
  const firewall =
    settings.waf === 'off' || region === undefined || region === firewallRegion
      ? null
      : new FirewallStack(app, `${settings.name}-firewall`, { ...common, env: { ...env, region: firewallRegion } });
  const edge = new EdgeStack(app, `${settings.name}-edge`, { ...common, data, storage, service, firewall });
  const edgeLogs =
    edge.deliveryElsewhere === null
      ? null
      : new EdgeLogsStack(app, `${settings.name}-edge-logs`, {
          ...common,
          env: { ...env, region: edgeLogsRegion },
          edge: edge.edge,
          deliveryName: edge.deliveryElsewhere,
        });
  const operations = new OperationsStack(app, `${settings.name}-operations`, { ...common, data, storage, service });
  const onAws = { network, data, service, edge, operations } satisfies Record<string, Stack>;
  return { settings, storage, firewall, edgeLogs, engines, onAws };
}

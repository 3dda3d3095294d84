import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { DataStack } from '../stacks/data-stack.ts';
import type { StorageStack } from '../stacks/storage-stack.ts';
import type { Alarms } from './alarms.ts';

const gibibyte = 2 ** 30;
const fiveMinutes = { period: Duration.minutes(5) };

/** What database, proxy, key-value store and ledger say of themselves. */
export function dataMetrics(
  { database: { instance, proxy }, keyValue, settings }: DataStack,
  { ledger }: StorageStack,
) {
  const ofProxy = (metricName: string, statistic: string): Metric =>
    new Metric({
      namespace: 'AWS/RDS',
      metricName,
      statistic,
      dimensionsMap: { ProxyName: proxy.dbProxyName },
      ...fiveMinutes,
    });
  const ofCache = (node: number, metricName: string): Metric =>
    new Metric({
      namespace: 'AWS/ElastiCache',
      metricName,
      dimensionsMap: { CacheClusterId: `${keyValue.id}-00${node}` },
      label: `${metricName} of node ${node}`,
      ...fiveMinutes,
    });
  const ofLedger = (metricName: string): IMetric => ledger.metric(metricName, { statistic: Stats.SUM, ...fiveMinutes });
  return {
    databaseCpu: instance.metricCPUUtilization(fiveMinutes),
    databaseSpace: instance.metricFreeStorageSpace({ statistic: Stats.MINIMUM, ...fiveMinutes }),
    databaseMemory: instance.metricFreeableMemory({ statistic: Stats.MINIMUM, ...fiveMinutes }),
    connectionsTaken: new MathExpression({
      label: 'connections of the proxy that are in use, percent',
      expression: '100 * borrowed / allowed',
      usingMetrics: {
        borrowed: ofProxy('DatabaseConnectionsCurrentlyBorrowed', Stats.MAXIMUM),
        allowed: ofProxy('MaxDatabaseConnectionsAllowed', Stats.MAXIMUM),
      },
      ...fiveMinutes,
    }),
    queryLatency: ofProxy('QueryDatabaseResponseLatency', Stats.AVERAGE),
    cacheNodes: Array.from({ length: settings.sizes.cache.replicas + 1 }, (_, node) => ({
      cpu: ofCache(node + 1, 'CPUUtilization'),
      memory: ofCache(node + 1, 'DatabaseMemoryUsagePercentage'),
    })),
    ledgerThrottled: new MathExpression({
      label: 'throttled requests of the ledger',
      expression: 'reads + writes',
      usingMetrics: { reads: ofLedger('ReadThrottleEvents'), writes: ofLedger('WriteThrottleEvents') },
      ...fiveMinutes,
    }),
  };
}

/** Alarms of what holds the state. */
export function watchData(alarms: Alarms, data: DataStack, storage: StorageStack): void {
  const metrics = dataMetrics(data, storage);
  const often = { wrong: 3, of: 3 };
  alarms.watch('DatabaseBusy', {
    heading: 'Database is busy or away',
    metric: metrics.databaseCpu,
    above: 85,
    periods: often,
    silenceIsWrong: true,
  });
  alarms.watch('DatabaseSpace', {
    heading: 'Database runs out of space',
    metric: metrics.databaseSpace,
    below: 2 * gibibyte,
  });
  alarms.watch('DatabaseMemory', {
    heading: 'Database runs out of memory',
    metric: metrics.databaseMemory,
    below: gibibyte / 16,
    periods: often,
  });
  alarms.watch('DatabaseConnections', {
    heading: 'Database connections run out',
    metric: metrics.connectionsTaken,
    above: 80,
    periods: often,
  });
  for (const [index, { cpu, memory }] of metrics.cacheNodes.entries()) {
    alarms.watch(`CacheBusy${index + 1}`, {
      heading: 'Key-value store is busy or away',
      metric: cpu,
      above: 80,
      periods: often,
      silenceIsWrong: true,
    });
    alarms.watch(`CacheFull${index + 1}`, { heading: 'Key-value store is full', metric: memory, above: 80 });
  }
  alarms.watch('LedgerThrottled', { heading: 'Ledger refuses requests', metric: metrics.ledgerThrottled, above: 0 });
}

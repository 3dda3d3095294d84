import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { DataStack } from '../stacks/data-stack.ts';
import type { StorageStack } from '../stacks/storage-stack.ts';
import type { Alarms } from './alarms.ts';

const gibibyte = 2 ** 30;
const fiveMinutes = { period: Duration.minutes(5) };

/** What database, proxy, key-value store and ledger say of themselves. */
export function dataMetrics(
  { database: { instance, proxy }, keyValue, settings }: DataStack,
  { ledger, outputs, packs, uploads }: StorageStack,
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
    // "Amazon S3 User Guide", Amazon S3 metrics and dimensions: once a day, without charge.
    storedBytes: [
      ofBucket('uploads', uploads),
      ofBucket('uploads of more than 90 days', uploads, 'GlacierInstantRetrievalStorage'),
      ofBucket('outputs', outputs),
      ofBucket('packs', packs),
    ],
    ledgerThrottled: new MathExpression({
      label: 'throttled requests of the ledger',
      expression: 'reads + writes',
      usingMetrics: { reads: ofLedger('ReadThrottleEvents'), writes: ofLedger('WriteThrottleEvents') },
      ...fiveMinutes,
    }),
  };
}

/** Bytes of the objects of a bucket; S3 tells them once a day. */
function ofBucket(label: string, { bucketName }: IBucket, StorageType = 'StandardStorage'): Metric {
  return new Metric({
    namespace: 'AWS/S3',
    metricName: 'BucketSizeBytes',
    dimensionsMap: { BucketName: bucketName, StorageType },
    label,
    period: Duration.days(1),
  });
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

import { Duration } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  MathExpression,
  Metric,
  Stats,
  TextWidget,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { AnalysisMetrics } from './analysis-metrics.ts';
import { output } from './output.ts';
import type { Queues } from './queues.ts';
import type { ServiceFunction } from './service-function.ts';
import type { apiMetrics } from './watch-api.ts';
import type { dataMetrics } from './watch-data.ts';
import { troubleOf } from './watch-functions.ts';

export interface OverviewProps {
  readonly api: ReturnType<typeof apiMetrics>;
  readonly functions: readonly ServiceFunction[];
  readonly queues: Queues;
  readonly analyses: AnalysisMetrics;
  readonly data: ReturnType<typeof dataMetrics>;
}

/** AWS Lambda on arm64 in us-east-1, 2026-11: USD per GiB-second. Other regions differ by a few percent. */
const usdPerGibSecond = 0.0000133334;

const hour = Duration.hours(1);
const fiveMinutes = Duration.minutes(5);

/** The one dashboard: traffic, queues, analyses, what holds the state, and what functions cost. */
export class Overview extends Construct {
  constructor(scope: Construct, id: string, props: OverviewProps) {
    super(scope, id);
    const dashboard = new Dashboard(this, 'Dashboard', { defaultInterval: Duration.hours(12) });
    const about = new TextWidget({ markdown: 'What an alarm means, and what to do: `docs/runbook.md`.', width: 24 });
    const rows = [
      [about],
      apiRow(props),
      functionsRow(props),
      queuesRow(props),
      analysesRow(props),
      dataRow(props),
      costRow(props),
    ];
    for (const row of rows) dashboard.addWidgets(...row);
    output(this, 'DashboardName', dashboard.dashboardName);
  }
}

function apiRow({ api, functions }: OverviewProps): IWidget[] {
  return [
    graph('Requests', [api.requests, api.refused, api.failed]),
    graph('Latency of requests, ms', [api.p50, api.p95]),
    graph(
      'Errors and throttles of functions',
      functions.map((lambda) => troubleOf(lambda)),
    ),
  ];
}

function functionsRow({ functions }: OverviewProps): IWidget[] {
  const areas = functions.filter(({ bundle }) => bundle.startsWith('api-'));
  return [
    graph(
      'Requests by area',
      areas.map((lambda) => lambda.metricInvocations({ label: lambda.bundle, period: fiveMinutes })),
    ),
    graph(
      'Duration by area, p95, ms',
      areas.map((lambda) => lambda.metricDuration({ label: lambda.bundle, statistic: 'p95', period: fiveMinutes })),
    ),
    graph(
      'Functions at the same time',
      functions.map((lambda) =>
        lambda.metric('ConcurrentExecutions', { label: lambda.bundle, statistic: Stats.MAXIMUM, period: fiveMinutes }),
      ),
    ),
  ];
}

function queuesRow({ queues }: OverviewProps): IWidget[] {
  return [
    graph(
      'Waiting messages',
      queues.all.map((queue) => queue.metricWaiting()),
    ),
    graph(
      'Age of the oldest message, s',
      queues.all.map((queue) => queue.metricAge()),
    ),
    // "Amazon ECS Developer Guide", AWS Fargate usage metrics: of all that runs in the account.
    graph(
      'Cores on Fargate in the account',
      ['OnDemand', 'Spot'].map(
        (capacity) =>
          new Metric({
            namespace: 'AWS/Usage',
            metricName: 'ResourceCount',
            dimensionsMap: { Service: 'Fargate', Type: 'Resource', Resource: 'vCPU', Class: `Standard/${capacity}` },
            label: capacity,
            statistic: Stats.MAXIMUM,
            period: fiveMinutes,
          }),
      ),
    ),
  ];
}

function analysesRow({ analyses, queues }: OverviewProps): IWidget[] {
  return [
    graph(
      'Ended analyses',
      (['completed', 'partial', 'failed', 'cancelled'] as const).map((end) => analyses.ended(end)),
    ),
    graph('Duration of analyses, ms', [analyses.duration('p50'), analyses.duration('p95')]),
    graph(
      'Dead letters',
      queues.all.map((queue) => queue.metricDeadLetters()),
    ),
  ];
}

function dataRow({ data }: OverviewProps): IWidget[] {
  return [
    graph('Database: processor and connections, percent', [data.databaseCpu, data.connectionsTaken]),
    graph('Database: latency of queries, µs', [data.queryLatency]),
    graph(
      'Key-value store: processor and memory, percent',
      data.cacheNodes.flatMap(({ cpu, memory }) => [cpu, memory]),
    ),
  ];
}

function costRow({ data, functions }: OverviewProps): IWidget[] {
  return [
    graph(
      'Cost of running functions, USD an hour, without requests',
      functions.map((lambda) => {
        // Written out: an exponent would be read as the name of a metric.
        const usdPerMs = ((lambda.memoryMiB / 1024 / 1000) * usdPerGibSecond).toFixed(14);
        return new MathExpression({
          label: lambda.bundle,
          expression: `durationOf${lambda.name} * ${usdPerMs}`,
          usingMetrics: { [`durationOf${lambda.name}`]: lambda.metricDuration({ statistic: Stats.SUM, period: hour }) },
          period: hour,
        });
      }),
    ),
    graph('Database: free memory and space, bytes', [data.databaseMemory, data.databaseSpace]),
    graph('Stored bytes', data.storedBytes),
  ];
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, leftYAxis: { min: 0 } });
}

import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats, Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';

/** Ends of a job that its log line tells (resolved-platform 3.2). */
const ends = ['completed', 'partial', 'failed', 'cancelled'] as const;

export interface AnalysisMetricsProps {
  /** Namespace of the metrics, one per installation. */
  readonly namespace: string;
  /** Where workers of both lanes log the end of each job. */
  readonly logs: readonly ILogGroup[];
}

/** How many analyses end and how, and how long they take: counted in the log lines, which workers write anyway. */
export class AnalysisMetrics extends Construct {
  readonly #namespace: string;

  constructor(scope: Construct, id: string, { namespace, logs }: AnalysisMetricsProps) {
    super(scope, id);
    this.#namespace = namespace;
    for (const [index, logGroup] of logs.entries()) {
      for (const end of ends) {
        new MetricFilter(this, `${end}${index}`, {
          logGroup,
          metricNamespace: namespace,
          metricName: end,
          filterPattern: FilterPattern.literal(`{ $.message = "job done" && $.status = "${end}" }`),
          metricValue: '1',
          unit: Unit.COUNT,
        });
      }
      new MetricFilter(this, `duration${index}`, {
        logGroup,
        metricNamespace: namespace,
        metricName: 'duration',
        filterPattern: FilterPattern.literal('{ $.message = "job done" && $.duration_ms >= 0 }'),
        metricValue: '$.duration_ms',
        unit: Unit.MILLISECONDS,
      });
    }
  }

  /** Jobs that ended so. */
  ended(end: (typeof ends)[number]): Metric {
    return this.#metric(end, Stats.SUM);
  }

  /** Milliseconds from the begin of an analysis to its end. */
  duration(statistic: string): Metric {
    return this.#metric('duration', statistic);
  }

  watchedBy(alarms: Alarms): void {
    alarms.watch('AnalysesFail', {
      heading: 'Analyses fail',
      metric: new MathExpression({
        label: 'failed jobs, percent, where there are five or more',
        expression: 'IF(failed >= 5, 100 * failed / (failed + FILL(completed, 0) + FILL(partial, 0)), 0)',
        usingMetrics: {
          failed: this.ended('failed'),
          completed: this.ended('completed'),
          partial: this.ended('partial'),
        },
        period: Duration.minutes(15),
      }),
      above: 25,
    });
  }

  #metric(metricName: string, statistic: string): Metric {
    return new Metric({ namespace: this.#namespace, metricName, statistic, period: Duration.minutes(15) });
  }
}

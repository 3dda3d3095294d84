import { Duration } from 'aws-cdk-lib';
import { MathExpression, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alarms } from './alarms.ts';
import type { ServiceFunction } from './service-function.ts';

const period = Duration.minutes(5);

/** Runs of a function that failed, and invocations that were refused for want of concurrency. */
export function troubleOf(lambda: ServiceFunction): IMetric {
  // In a graph of several functions, each metric needs a name of its own.
  const [errors, throttles] = [`errorsOf${lambda.name}`, `throttlesOf${lambda.name}`];
  return new MathExpression({
    label: lambda.bundle,
    expression: `${errors} + ${throttles}`,
    usingMetrics: { [errors]: lambda.metricErrors({ period }), [throttles]: lambda.metricThrottles({ period }) },
    period,
  });
}

const unwatched: ReadonlySet<string> = new Set(['deploy-migrate', 'queue-webhooks', 'queue-ai', 'api-ai']);

/**
 * An alarm for each function, but for that of the migrations, of which who deploys is told, and that of webhooks, whose
 * messages go to the dead letters, and those of AI runs, each of which says how it ended. Where another alarm sees what
 * is refused ("Requests fail", "Periodic tasks do not run") it counts errors alone, since a metric in an alarm costs
 * 0.10 USD a month.
 */
export function watchFunctions(alarms: Alarms, functions: readonly ServiceFunction[]): void {
  for (const lambda of functions) {
    if (unwatched.has(lambda.bundle)) continue;
    const isRefusalSeen = lambda.bundle.startsWith('api-') || lambda.bundle === 'queue-maintenance';
    const metric = isRefusalSeen ? lambda.metricErrors({ period }) : troubleOf(lambda);
    alarms.watch(`${lambda.name}Fails`, { heading: 'Function fails', metric, above: 2 });
  }
}

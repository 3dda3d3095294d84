import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alarms } from './alarms.ts';

const period = Duration.minutes(5);

/** What API Gateway says of all requests together. */
export function apiMetrics(api: HttpApi) {
  const requests = api.metricCount({ label: 'requests', period });
  const refused = api.metricClientError({ label: 'refused (4xx)', period });
  const failed = api.metricServerError({ label: 'failed (5xx)', period });
  const latency = (statistic: string) => api.metricLatency({ label: statistic, statistic, period });
  return { requests, refused, failed, p50: latency('p50'), p95: latency('p95') };
}

/** Alarms of what everybody notices at once. */
export function watchApi(alarms: Alarms, api: HttpApi): void {
  const { requests, failed, p95 } = apiMetrics(api);
  alarms.watch('ApiFails', {
    heading: 'Requests fail',
    metric: new MathExpression({
      label: 'failed requests, percent, where there are five or more',
      expression: 'IF(failed >= 5, 100 * failed / requests, 0)',
      usingMetrics: { failed, requests },
      period,
    }),
    above: 5,
    periods: { wrong: 2, of: 3 },
  });
  alarms.watch('ApiSlow', {
    heading: 'Requests are slow',
    metric: p95,
    above: 3000,
    periods: { wrong: 3, of: 3 },
  });
}

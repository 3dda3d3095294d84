import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { HttpCodeElb, HttpCodeTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type { Alarms } from './alarms.ts';
import type { GatewayService } from './gateway-service.ts';

/** An alarm for the gateway, where there is one: what it fails to answer, or its load balancer in its place. */
export function watchGateway(alarms: Alarms, { loadBalancer: { metrics } }: GatewayService): void {
  const period = Duration.minutes(5);
  alarms.watch('GatewayFails', {
    heading: 'Large uploads fail',
    metric: new MathExpression({
      label: 'failed requests of the gateway',
      expression: 'FILL(answered, 0) + FILL(unanswered, 0)',
      usingMetrics: {
        answered: metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, { period }),
        unanswered: metrics.httpCodeElb(HttpCodeElb.ELB_5XX_COUNT, { period }),
      },
      period,
    }),
    above: 2,
  });
}

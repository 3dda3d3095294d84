import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';

/**
 * A cron expression of five fields in UTC, as EventBridge Scheduler wants it: with a year, and with `?`
 * for the day that is not given. Throws for days of the week, which it counts from one and cron from zero.
 */
export function scheduleExpression(cron: string): ScheduleExpression {
  const [minute, hour, day, month, weekday, ...more] = cron.split(' ');
  if (weekday !== '*' || more.length > 0) {
    throw new Error(`The schedule "${cron}" must have five fields, the last one *`);
  }
  return ScheduleExpression.expression(`cron(${minute} ${hour} ${day} ${month} ? *)`);
}

import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';

/**
 * Mail when the account's costs of the month reach 80 % of the budget, or are forecast to exceed it. Of
 * the whole account: costs by tag are known only where somebody has activated that tag for billing.
 */
export function costBudget(scope: Construct, id: string, budget: { monthlyUsd: number; email: string }): CfnBudget {
  const subscribers = [{ subscriptionType: 'EMAIL', address: budget.email }];
  const notify = (notificationType: string, threshold: number) => ({
    notification: { notificationType, threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
    subscribers,
  });
  return new CfnBudget(scope, id, {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: budget.monthlyUsd, unit: 'USD' },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
}

import { call, operations } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { refreshBell } from './discussions.ts';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** What a list of alerts is narrowed to. @default those of the caller that wait to be acknowledged */
export interface AlertsAsked {
  readonly rule?: number | undefined;
  readonly entity?: number | undefined;
  readonly all?: boolean | undefined;
  readonly everybody?: boolean | undefined;
}

/** Alerts on entities or on jobs. */
export type AlertKind = 'entities' | 'jobs';

export function alertsQuery({ rule, entity, all, everybody }: AlertsAsked) {
  return operationQuery(operations.listAlerts, {
    ...(rule !== undefined && { rule }),
    ...(entity !== undefined && { entity }),
    ...(all === true && { all: '1' }),
    ...(everybody === true && { everybody: '1' }),
  });
}

/** Why there is an alert. */
export function alertReasonQuery(kind: AlertKind, id: number) {
  return operationQuery(kind === 'entities' ? operations.explainAlert : operations.explainJobAlert, { id });
}

/** Acknowledges one alert, or all of the caller's. */
export function useAcknowledge() {
  return useMutation({
    mutationFn: (alert: { readonly kind: AlertKind; readonly id: number } | 'all') =>
      alert === 'all'
        ? call(operations.acknowledgeAlerts, {})
        : call(alert.kind === 'entities' ? operations.acknowledgeAlert : operations.acknowledgeJobAlert, {
            id: alert.id,
          }),
    onSettled: async () => {
      await Promise.all([invalidate(queryKey(operations.listAlerts)), refreshBell()]);
    },
  });
}

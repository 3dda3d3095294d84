import { compose } from '@svc/adapters/compose.ts';
import { dispatchWorkers } from '@svc/application/analysis/dispatch-workers.ts';

const ports = compose('deployment', 'launcher', 'ledger', 'log');

/** Each minute, and whenever something was queued in the heavy lane. */
export const handler = (): Promise<void> => dispatchWorkers(ports);

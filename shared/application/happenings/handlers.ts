import type { Happening } from '@svc/contracts/happenings.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import type { Ports } from '../ports/ports.ts';
import { evaluateRules } from '../alerts/evaluate-rules.ts';
import { tellCasePeople } from '../discussions/tell-case-people.ts';
import { tellWatchers } from '../discussions/tell-watchers.ts';
import type { Consumer } from './consumers.ts';

/**
 * Does what a happening is for, in the transaction in which the delivery ends, so that its effect is there once. What is
 * done outside the database is only noted there, under the id of the happening.
 */
export type HappeningHandler = (tx: TransactionPorts, happening: Happening, ports: Pick<Ports, 'log'>) => Promise<void>;

export const handlers: Readonly<Record<Consumer, HappeningHandler>> = {
  watches: tellWatchers,
  case_people: tellCasePeople,
  alert_rules: evaluateRules,
};

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { editableAlertRule } from './found-alert-rule.ts';

/** Switches a rule off or on, which is no edit of it. */
export function toggleAlertRule(
  { transaction }: Pick<Ports, 'transaction'>,
  actor: Actor,
  { id }: InputOf<typeof operations.toggleAlertRule>,
): Promise<OutputOf<typeof operations.toggleAlertRule>> {
  return transaction(async ({ alertRules }) => {
    const enabled = !(await editableAlertRule(alertRules, actor, id)).enabled;
    await alertRules.switch(id, enabled);
    return { enabled };
  });
}

/** Deletes a rule with its alerts and deliveries. */
export function deleteAlertRule(
  { transaction }: Pick<Ports, 'transaction'>,
  actor: Actor,
  { id }: InputOf<typeof operations.deleteAlertRule>,
): Promise<void> {
  return transaction(async ({ alertRules }) => {
    await editableAlertRule(alertRules, actor, id);
    await alertRules.delete(id);
  });
}

import type { NewActivity } from '@svc/domain';
import { createHash } from 'node:crypto';

/**
 * Hash of a row and of all that were written before it, in hexadecimal: SHA-256 of the hash before and the row as JSON.
 * The id of the account is not of it, as it goes with the account; its label stays.
 */
export function chained(previous: string, row: NewActivity): string {
  const { at, actorLabel, actorIp, action, category, targetType, targetId, outcome, summary, metadata, requestId } =
    row;
  const said = [
    at.toISOString(),
    actorLabel,
    actorIp,
    action,
    category,
    targetType,
    targetId,
    outcome,
    summary,
    metadata,
    requestId,
  ];
  return createHash('sha256')
    .update(`${previous}\n${JSON.stringify(said)}`)
    .digest('hex');
}

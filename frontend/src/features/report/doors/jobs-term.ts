import { formatValue } from '@svc/domain';
import type { DoorValue } from '../../../ui/door-value.ts';

/** The term of a search of jobs for a value; null for what jobs are not found by. */
export function jobsTerm({ kind, value }: DoorValue): string | null {
  // A quote ends what is in quotes.
  return kind === 'other' || value.includes('"') ? null : `${kind}:${formatValue(value)}`;
}

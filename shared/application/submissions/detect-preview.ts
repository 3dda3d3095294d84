import type { operations, OutputOf } from '@svc/contracts';
import { logTypeLabels, type Actor } from '@svc/domain';
import { detectLogType } from '@svc/engine';
import type { Ports } from '../ports/ports.ts';
import { refuseInDemoMode } from './admit-upload.ts';
import { headBytes } from './spool-upload.ts';

/** Tells the type of a log from its first bytes; advisory, nothing is stored. */
export async function detectPreview(
  ports: Pick<Ports, 'settings'>,
  _actor: Actor,
  { head }: { head: Uint8Array },
): Promise<OutputOf<typeof operations.detectPreview>> {
  await refuseInDemoMode(ports);
  const type = detectLogType(head.subarray(0, headBytes));
  return { log_type: type, label: logTypeLabels[type] };
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** Characters that the end of a log may lack of its bound, as it is cut between characters. */
const slackBytes = 3;

/** What an engine said while it ran; empty when it said nothing. */
export async function getTaskLog(
  { deployment, jobViews }: Pick<Ports, 'deployment' | 'jobViews'>,
  { id }: InputOf<typeof operations.getTaskLog>,
): Promise<OutputOf<typeof operations.getTaskLog>> {
  const log = await jobViews.taskLog(id);
  if (log === null) throw notFound('task');
  const truncated = log !== '' && Buffer.byteLength(log) >= deployment.maxLogOutputBytes - slackBytes;
  return { log_output: log, truncated };
}

import { compose } from '@svc/adapters/compose.ts';
import { aiJournal } from '@svc/application/ai/begin-run.ts';
import { aiRunPorts } from '@svc/application/ai/handle-run.ts';
import { runAiAnalysis } from '@svc/application/ai/run-analysis.ts';
import { deliverAtOnce } from '@svc/application/happenings/deliveries.ts';
import { OutOfTime } from '@svc/application/work/hold-lease.ts';
import type { Context } from 'aws-lambda';

const ports = compose('comments', 'happeningBell', 'happenings', 'webhookDeliveries', ...aiRunPorts);
/** What it takes to end a run in good order before Lambda ends the function. */
const leavingMs = 20_000;

deliverAtOnce(ports);

/** Does an AI run, which takes minutes (decision 120); of one that was begun before, nothing. */
export async function handler({ runId }: { readonly runId: number }, context: Context): Promise<void> {
  const outOfTime = new AbortController();
  const left = context.getRemainingTimeInMillis() - leavingMs;
  const deadline = setTimeout(() => outOfTime.abort(new OutOfTime('the function must end')), left);
  try {
    await runAiAnalysis(ports, aiJournal(ports), runId, outOfTime.signal);
  } finally {
    clearTimeout(deadline);
  }
}

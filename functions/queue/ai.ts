import { compose } from '@svc/adapters/compose.ts';
import { aiRunPorts, askModel } from '@svc/application/ai/handle-run.ts';
import { deliverAtOnce } from '@svc/application/happenings/deliveries.ts';
import type { LeaseOf } from '@svc/application/ports/task-queue.ts';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { settleMessages } from './work-messages.ts';

const ports = compose('comments', 'deliveries', 'happeningBell', 'happenings', 'webhookDeliveries', ...aiRunPorts);

deliverAtOnce(ports);

/** Asks the models of AI providers, which takes minutes, in a function that does nothing else (decision 120). */
export function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  return settleMessages(ports, { lane: 'ai', event, context }, (lease, leave) =>
    // Nothing else has this lane.
    askModel(ports, lease as LeaseOf<'run_ai_analysis'>, { leave }),
  );
}

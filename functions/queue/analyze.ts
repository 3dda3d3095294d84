import { compose } from '@svc/adapters/compose.ts';
import { deliverAtOnce } from '@svc/application/happenings/deliveries.ts';
import { workPorts } from '@svc/application/work/handle-task.ts';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { workMessages } from './work-messages.ts';

const ports = compose('deliveries', ...workPorts);

deliverAtOnce(ports);

/** The fast lane: analyses of small files, and the short work that somebody waits for. */
export function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  return workMessages(ports, 'fast', event, context);
}

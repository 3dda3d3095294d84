import { integer } from './values.ts';

/** Variables of what is kept of analyses, and for how long. */
export const retentionVariables = {
  MAX_LOG_OUTPUT_BYTES: integer(0, 104_857_600)
    .default(51_200)
    .describe('Bytes of an engine’s own output that are kept with a task.'),
  RAW_OUTPUT_MAX_MB: integer(0, 256)
    .default(32)
    .describe('Megabytes of matched events that are kept of a task as they are, before compression; 0 keeps none.'),
  JOB_OUTPUT_RETENTION_DAYS: integer(0, 36_500)
    .default(90)
    .describe(
      'Days after which the daily sweep removes the raw outputs of a task; 0 keeps them for ever. Reports stay.',
    ),
  BACKGROUND_TASK_RETENTION_DAYS: integer(0, 36_500)
    .default(30)
    .describe('Days that background tasks which have ended are remembered; 0 for ever.'),
  WEBHOOK_DELIVERY_RETENTION_DAYS: integer(0, 36_500)
    .default(30)
    .describe('Days that deliveries to webhooks which have ended are remembered; 0 for ever.'),
  ACTIVITY_RETENTION_DAYS: integer(0, 36_500)
    .default(90)
    .describe('Days that the activity log remembers what was done; 0 for ever.'),
  UPLOAD_RETENTION_DAYS: integer(0, 36_500)
    .default(0)
    .describe(
      'Days after which the daily sweep deletes an uploaded file, counted from the newest analysis of it, together with its jobs; 0 for never.',
    ),
};

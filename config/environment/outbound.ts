import { z } from 'zod';
import { flag, integer, url } from './values.ts';

/** Variables of requests to other services. */
export const outboundVariables = {
  ENRICHMENT_REQUIRE_PUBLIC_HOST: flag(true).describe('Enrichment services must be hosts of the Internet.'),
  WEBHOOK_REQUIRE_PUBLIC_HOST: flag().describe('Receivers of webhooks must be hosts of the Internet.'),
  WEBHOOK_TIMEOUT_SECONDS: integer(1, 300).default(5).describe('Seconds that a delivery to a webhook may take.'),
  WEBHOOK_MAX_RETRIES: integer(0, 20)
    .default(3)
    .describe('Further attempts of a delivery to a webhook, after 1, 2, 4 and more minutes, at most 15.'),
  WEBHOOK_SQS_URL: url()
    .optional()
    .describe(
      'SQS queue of a function that sends to webhooks what is to be sent, as on AWS; unset to send it from here.',
    ),
  WEBHOOK_ANSWERS_SQS_URL: url()
    .optional()
    .describe('Of that function alone: SQS queue of the tasks, which it tells what came of each request.'),
  AI_FUNCTION: z
    .string()
    .optional()
    .describe('Lambda function that is invoked for each AI run, which takes minutes; unset to do it here.'),
  AI_REQUIRE_PUBLIC_HOST: flag().describe('AI providers must be hosts of the Internet, none of a private network.'),
  RULE_LIST_REQUIRE_PUBLIC_HOST: flag(true).describe('Sources of rule lists must be hosts of the Internet.'),
  RULE_LIST_FETCH_MAX_BYTES: integer(1, 104_857_600)
    .default(1_048_576)
    .describe('Largest rule list that is read from its source, in bytes.'),
  RULE_LIST_FETCH_TIMEOUT_SECONDS: integer(1, 300)
    .default(15)
    .describe('Seconds that reading a rule list from its source may take.'),
};

import { integer } from './values.ts';

const perMinute = (limit: number) => integer(0, 1_000_000).default(limit);

/** Variables of how much one caller may ask for. */
export const limitVariables = {
  UPLOAD_RATE_LIMIT_PER_MINUTE: perMinute(30).describe('Anonymous uploads a minute from one address; 0 for no limit.'),
  AUTHENTICATED_UPLOAD_RATE_LIMIT_PER_MINUTE: perMinute(60).describe('Uploads a minute of one account.'),
  UPLOAD_RESERVED_MAX_MB: integer(0, 1_048_576)
    .default(2048)
    .describe(
      'MiB of reserved uploads that a visitor’s address (IPv6: its /64 network) may have open, reserved and not yet submitted; one file may always be. 0 for no limit.',
    ),
  AUTHENTICATED_UPLOAD_RESERVED_MAX_MB: integer(0, 1_048_576)
    .default(8192)
    .describe('The same of one account, wherever it comes from.'),
  PREVIEW_RATE_LIMIT_PER_MINUTE: perMinute(120).describe('Type previews a minute from one address.'),
  LOGIN_RATE_LIMIT_PER_MINUTE: perMinute(20).describe(
    'Attempts a minute to sign in from one address; as many wrong passwords a minute, and five times as many an hour, per account and per network. 0 for no limit.',
  ),
  RESUBMIT_RATE_LIMIT_PER_MINUTE: perMinute(10).describe('Resubmissions a minute from one address.'),
  COMMENT_RATE_LIMIT_PER_MINUTE: perMinute(30).describe('Comments a minute that one account writes or changes.'),
  WATCH_RULES_MAX_PER_USER: integer(1, 10_000)
    .default(50)
    .describe('Alert rules that one account can have, of entities and jobs together; shared rules do not count.'),
  ENRICHMENT_RATE_LIMIT_PER_MINUTE: perMinute(30).describe(
    'Requests a minute to one enrichment service that says nothing else; 0 for no limit.',
  ),
  AI_RATE_LIMIT_PER_MINUTE: perMinute(10).describe('AI runs a minute that one account starts. 0 for no limit.'),
  AI_MAX_PROMPT_CHARS: integer(1, 2_000_000)
    .default(60_000)
    .describe('Characters of the brief that an AI run sends, where its provider has no limit of its own.'),
  AI_TOKENS_PER_DAY: integer(0, 1_000_000_000)
    .default(0)
    .describe(
      'Tokens that all AI runs of the last 24 hours may have cost before no other one is started; 0 for no limit.',
    ),
  AI_TOKENS_PER_USER_PER_DAY: integer(0, 1_000_000_000)
    .default(0)
    .describe('The same of the runs that one account has started.'),
  WEBHOOK_RATE_LIMIT_PER_MINUTE: perMinute(10).describe(
    'Attempts a minute to deliver to the webhook of one rule; what exceeds it is recorded, and not sent. 0 for no limit.',
  ),
  API_TOKEN_RATE_LIMIT_PER_MINUTE: perMinute(120).describe(
    'Requests a minute under /api/v1 and /taxii2, and for /intel/ioc-feed, of one API token, or from one address without a token; requests with a token that is not valid are counted by address, whatever they ask for.',
  ),
};

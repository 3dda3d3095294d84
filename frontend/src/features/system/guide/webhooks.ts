import { code, list, table, text, type Chapter } from './blocks.ts';
import { verifiers } from './verify-webhook.ts';

/** What a rule tells other programs, and how these know that it is true. */
export const webhooksChapter: Chapter = {
  id: 'webhooks',
  title: 'Webhooks',
  blocks: [
    text(
      'A rule whose webhook is on sends one request for each job in which it matched something new, with up to 50 entities. Test sends one at once; Deliveries, on the page of the alert rules, shows each with its attempts, what was sent and what was answered, and Redeliver sends it once more.',
    ),
    table(
      ['`X-Svc-Event`', '`rule.match`, `job.match`, `job.watch` or `rule.test`'],
      ['`X-Svc-Delivery`', 'The same for each attempt of a delivery: a receiver that has seen it need do nothing'],
      ['`X-Svc-Attempt`', 'From 1'],
      ['`X-Svc-Timestamp`', 'When the request was made, in seconds since 1970'],
      ['`X-Svc-Signature`', '`sha256=` and the HMAC of timestamp, a dot and the body, where the rule has a secret'],
    ),
    list(
      'Any answer of 200 to 299 is a success, and its body is not read. After another one, or none within 5 seconds, it is tried again after one minute, two and four; 429 may say with `Retry-After` when, within 15 minutes. What the receiver refuses (400 to 499) is not tried again, and redirects are not followed.',
      'At most 10 attempts a minute are made for a rule; what exceeds them is recorded as rate limited, and not sent.',
      'A delivery may come twice when a process ends at the wrong moment, always under the same id.',
      'For Slack, Microsoft Teams (the workflow “When a Teams webhook request is received”) and Discord the body is a message that these show. Any other body is JSON whose texts hold placeholders such as `{{rule.name}}`, `{{job.url}}`, `{{match_count}}`, `{{summary}}` and `{{text}}`; a text that is one placeholder, as `"{{entities}}"`, becomes its value.',
      'Receivers must ignore fields that they do not know. Addresses of cloud metadata are always refused; private addresses only where the operator says so, and where the service runs on AWS.',
    ),
    text(
      'A receiver verifies the signature over the bytes as they came, and refuses what is older than five minutes. In Node.js:',
    ),
    code(verifiers.node),
    text('In Python:'),
    code(verifiers.python),
    text('In Go:'),
    code(verifiers.go),
  ],
};

// npm run abuse: requests that nobody means well with, made from the service's own OpenAPI document, against the
// built server: as a visitor, as an administrator and with an API token.
//   npm run abuse -- [--seconds N] [--seed N]     seconds for each caller, 60 by default
import { parseArgs } from 'node:util';
import { fail, run } from './install.mjs';

function options() {
  try {
    return parseArgs({ options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } } }).values;
  } catch (error) {
    return fail(error.message);
  }
}

const { seconds, seed = String(Date.now() % 1_000_000) } = options();
const env = { ...process.env, ABUSE_SECONDS: seconds, ABUSE_SEED: seed };
run(process.execPath, ['scripts/test.mjs', 'test/conformance/schemathesis'], { env });

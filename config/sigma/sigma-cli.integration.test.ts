import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeWith } from '../../test/support/programs.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));

/** What is not held against the rules. */
const excluded = [
  // Both would fetch their lists from the Internet; core-pack.test.ts knows the tactics.
  'attacktag',
  'd3_fendtag',
  // The asterisk in a policy of a bucket is meant.
  'escaped_wildcard',
  // Sysmon’s own state has no category on some systems that write it.
  'specific_instead_of_generic_logsource',
];

describeWith('sigma', 'the core pack to sigma-cli', () => {
  it('is without an error and without an issue', () => {
    const args = ['check', '--fail-on-error', '--fail-on-issues', ...excluded.flatMap((name) => ['--exclude', name])];
    const path = process.env['SIGMA_CLI_PATH'] ?? 'sigma';
    const { status, stdout, stderr } = spawnSync(path, [...args, folder], { encoding: 'utf8' });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('Found 0 errors, 0 condition errors and 0')]);
  });
});

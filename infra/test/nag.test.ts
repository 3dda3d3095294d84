import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { synthesised } from './synth.ts';

it.each([
  { size: 'small' },
  { size: 'ha' },
  { size: 'ha', gateway: false, account: '111111111111', region: 'eu-central-1' },
])('follows the AwsSolutions rules, or says at the construct why not: %j', (context) => {
  const { violations } = new AwsSolutionsChecks().validateScope(synthesised(context).app);
  const findings = violations.flatMap(({ ruleName, description, violatingResources }) =>
    violatingResources.map(({ constructPath }) => `${constructPath}: ${ruleName} ${description}`),
  );
  expect(findings).toEqual([]);
});

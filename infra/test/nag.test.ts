import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { synthesised } from './synth.ts';

it.each(['small', 'ha'])('follows the AwsSolutions rules, or says at the construct why not: %s', (size) => {
  const { violations } = new AwsSolutionsChecks().validateScope(synthesised({ size }).app);
  const findings = violations.flatMap(({ ruleName, description, violatingResources }) =>
    violatingResources.map(({ constructPath }) => `${constructPath}: ${ruleName} ${description}`),
  );
  expect(findings).toEqual([]);
});

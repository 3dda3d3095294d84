import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { enginesOfOthers } from './engines-of-others.ts';
import { synthesised } from './synth.ts';

describe.each([
  { size: 'small' },
  { size: 'ha' },
  // What cdk-nag calls a finding depends on them.
  { size: 'ha', account: '111111111111', region: 'eu-central-1' },
  { size: 'small', engines: enginesOfOthers },
])('%j', (context) => {
  const { app } = synthesised(context);

  it('follows the AwsSolutions rules, or says at the construct why not', () => {
    const { violations } = new AwsSolutionsChecks().validateScope(app);
    const findings = violations.flatMap(({ ruleName, description, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${constructPath}: ${ruleName} ${description}`),
    );
    expect(findings).toEqual([]);
  });

  it('gives each of these reasons in a sentence, and acknowledges nothing for a whole stack', () => {
    const acknowledged = app.node.findAll().flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) => Object.entries(data as Record<string, string>))
        .filter(([id]) => id.includes('AwsSolutions-'))
        .map(([, reason]) => ({ path: node.path, reason })),
    );
    expect(acknowledged.length).toBeGreaterThan(5);
    expect(acknowledged.filter(({ path, reason }) => !path.includes('/') || !/^[A-Z].{25,}\.$/.test(reason))).toEqual(
      [],
    );
  });
});

import { Match, type Template } from 'aws-cdk-lib/assertions';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../constructs/alarms.ts';
import { synthesised } from './synth.ts';

const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
/** The headings below "Alarms". */
const headings = [...runbook.split(/^## Alarms$/m)[1]!.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading!);

const prometheus = readFileSync(new URL('../../docs/grafana-dashboard.json', import.meta.url), 'utf8');
const panels = (JSON.parse(prometheus) as { panels: { title: string }[] }).panels.map(({ title }) => title);
/** What only the service itself knows, which pages of administrators show, and what functions have not. */
const notInCloudWatch = [
  'Errors by operation',
  'Jobs by state',
  'Workers: places and jobs under way',
  'Silence of workers',
  'Processor time of web processes',
  'Memory of web processes',
  'Delay of the event loop, p99',
];

interface AlarmProperties {
  readonly AlarmDescription: string;
  readonly AlarmActions?: readonly unknown[];
  readonly OKActions?: readonly unknown[];
}

describe.each(['small', 'ha'])('size %s', (size) => {
  const { operations } = synthesised({ size, alarmEmail: 'ops@example.org', budgetUsd: 120 }).templates;
  const alarms = Object.values(operations.findResources('AWS::CloudWatch::Alarm')).map(
    ({ Properties }) => Properties as AlarmProperties,
  );
  const described = alarms.map(({ AlarmDescription }) => AlarmDescription);

  it('leads every alarm to its heading of the runbook', () => {
    const known = new Set(headings.map((heading) => `${heading}. See docs/runbook.md#${anchorOf(heading)}`));
    expect(described.filter((one) => !known.has(one))).toEqual([]);
  });

  it('raises an alarm for every heading of the runbook', () => {
    const silent = headings.filter((heading) => !described.some((one) => one.startsWith(`${heading}. `)));
    expect(silent).toEqual(size === 'ha' ? [] : ['Large uploads fail']);
  });

  it('tells people when something is wrong and when it is well again', () => {
    expect(alarms.every(({ AlarmActions, OKActions }) => AlarmActions?.length === 1 && OKActions?.length === 1)).toBe(
      true,
    );
    operations.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.org' });
  });

  it('encrypts what it tells and lets CloudWatch publish it, by TLS only', () => {
    operations.hasResourceProperties('AWS::SNS::Topic', { KmsMasterKeyId: Match.anyValue() });
    operations.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          Match.objectLike({ Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } }),
        ]),
      }),
    });
    operations.hasResourceProperties('AWS::KMS::Key', {
      EnableKeyRotation: true,
      KeyPolicy: Match.objectLike({
        Statement: Match.arrayWith([Match.objectLike({ Principal: { Service: 'cloudwatch.amazonaws.com' } })]),
      }),
    });
  });

  it('shows what the dashboard for Prometheus shows, as far as CloudWatch knows it', () => {
    const [dashboard] = Object.values(operations.findResources('AWS::CloudWatch::Dashboard'));
    const shown = JSON.stringify(dashboard);
    const elsewhere = panels.filter((title) => !shown.includes(`title\\":\\"${title}`));
    expect(elsewhere).toEqual(notInCloudWatch);
  });

  it('keeps to the budget', () => {
    operations.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: Match.objectLike({ BudgetLimit: { Amount: 120, Unit: 'USD' } }),
    });
  });
});

it('has each heading of the runbook answer the same five questions', () => {
  const sections = runbook
    .split(/^## Alarms$/m)[1]!
    .split(/^### /m)
    .slice(1);
  const questions = ['Means', 'Users see', 'First look', 'Do', 'Over'];
  const lacking = sections.flatMap((section) =>
    questions.filter((question) => !section.includes(`**${question}.**`)).map((q) => `${section.split('\n')[0]}: ${q}`),
  );
  expect(lacking).toEqual([]);
});

it('names in the commands of the runbook only what the stacks tell', () => {
  const stacks: Readonly<Record<string, Template>> = synthesised({ size: 'ha' }).templates;
  const named = [...runbook.matchAll(/\$\(out (\w+) (\w+)\)/g)].map(([, stack, name]) => ({
    stack: stack!,
    name: name!,
  }));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ stack, name }) => Object.keys(stacks[stack]!.findOutputs(name)).length === 0)).toEqual([]);
});

it('has no budget without anybody to tell', () => {
  expect(() => synthesised({ budgetUsd: 10 })).toThrow('alarmEmail');
  expect(synthesised({ size: 'small' }).templates.operations.findResources('AWS::Budgets::Budget')).toEqual({});
});

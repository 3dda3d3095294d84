import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { idleCost, total } from '../cost/idle.ts';
import { prices } from '../cost/prices.ts';
import { documentTables, type TemplatesBySize } from '../cost/report.ts';
import { savingsOf } from '../cost/savings.ts';
import { runsPerMonth, type CostResource, type CostTemplates } from '../cost/template.ts';
import {
  costOfJob,
  costOfMonth,
  fastSeconds,
  heavySeconds,
  jobsPerStart,
  measures,
  peakOf,
  stored,
  tracedShare,
} from '../cost/workload.ts';
import { synthesised } from './synth.ts';

function templatesOf(size: string): CostTemplates {
  const { templates } = synthesised({ size });
  return Object.fromEntries(
    Object.entries(templates).map(([part, template]) => [part, template.toJSON() as CostTemplates[string]]),
  );
}

const one = (Type: string, Properties: Record<string, unknown> = {}): CostResource => ({ Type, Properties });

/** A small installation whose sum can be told by hand. */
const handMade: CostTemplates = {
  network: {
    Resources: {
      Nat: one('AWS::EC2::NatGateway'),
      Address: one('AWS::EC2::EIP'),
      Gateway: one('AWS::EC2::VPCEndpoint', { VpcEndpointType: 'Gateway' }),
      Interface: one('AWS::EC2::VPCEndpoint', { VpcEndpointType: 'Interface', SubnetIds: ['a', 'b'] }),
    },
  },
  data: {
    Resources: {
      Database: one('AWS::RDS::DBInstance', {
        DBInstanceClass: 'db.m7g.xlarge',
        AllocatedStorage: '100',
        MultiAZ: true,
      }),
      Proxy: one('AWS::RDS::DBProxy'),
      Cache: one('AWS::ElastiCache::ReplicationGroup', {
        CacheNodeType: 'cache.t4g.micro',
        NumNodeGroups: 1,
        ReplicasPerNodeGroup: 1,
      }),
      First: one('AWS::SecretsManager::Secret'),
      Second: one('AWS::SecretsManager::Secret'),
    },
  },
  service: {
    Resources: {
      Task: one('AWS::ECS::TaskDefinition', { Cpu: '512', Memory: '1024' }),
      Service: one('AWS::ECS::Service', { DesiredCount: 2, TaskDefinition: { Ref: 'Task' } }),
      Balancer: one('AWS::ElasticLoadBalancingV2::LoadBalancer', { Scheme: 'internet-facing', Subnets: ['a', 'b'] }),
      Function: one('AWS::Lambda::Function'),
      Simple: one('AWS::CloudWatch::Alarm', { MetricName: 'Errors' }),
      Computed: one('AWS::CloudWatch::Alarm', {
        Metrics: [{ Expression: 'a+b' }, { MetricStat: {} }, { MetricStat: {} }],
      }),
    },
  },
};

describe('idle cost', () => {
  it('adds up hours, gigabytes, standbys and replicas', () => {
    const usd = (what: string): number =>
      Number(
        idleCost(handMade)
          .find((line) => line.what.startsWith(what))
          ?.usd.toFixed(4),
      );
    expect(usd('NAT gateway')).toBe(32.85);
    expect(usd('public address')).toBe(3.65);
    expect(usd('interface endpoint')).toBe(14.6);
    expect(usd('PostgreSQL db.m7g.xlarge, 100 GB, with a standby')).toBe(2 * (0.337 * 730 + 11.5));
    expect(usd('RDS Proxy')).toBe(43.8);
    expect(usd('Valkey cache.t4g.micro × 2')).toBe(18.688);
    expect(usd('secret')).toBe(0.8);
    expect(usd('load balancer')).toBe(16.425 + 7.3);
    expect(usd('Fargate service of 2')).toBeCloseTo(2 * 730 * (0.5 * 0.03238 + 0.00356), 3);
    expect(usd('alarm')).toBeCloseTo(0.3, 6);
  });

  it('leaves out what costs nothing, and sorts the dearest first', () => {
    const lines = idleCost(handMade);
    expect(lines.map(({ what }) => what)).not.toContain('gateway endpoint');
    expect(lines[0]?.type).toBe('AWS::RDS::DBInstance');
    expect(total(lines)).toBeCloseTo(lines.reduce((sum, { usd }) => sum + usd, 0));
  });

  it('refuses to guess', () => {
    const templatesWith = (resource: CostResource): CostTemplates => ({ service: { Resources: { New: resource } } });
    expect(() => idleCost(templatesWith(one('AWS::MSK::Cluster')))).toThrow(
      'does not know what AWS::MSK::Cluster costs',
    );
    const database = one('AWS::RDS::DBInstance', { DBInstanceClass: 'db.x2g.large', AllocatedStorage: '20' });
    expect(() => idleCost(templatesWith(database))).toThrow('no price for db.x2g.large');
  });

  it('prices the runs of schedules by the function they come to, and what sends metrics of its own', () => {
    const lambda = one('AWS::Lambda::Function', { MemorySize: 2048, TracingConfig: { Mode: 'Active' } });
    const lines = idleCost({
      service: {
        Resources: {
          Lambda: lambda,
          Queue: one('AWS::SQS::Queue'),
          Listens: one('AWS::Lambda::EventSourceMapping', {
            EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] },
            FunctionName: { Ref: 'Lambda' },
          }),
          Direct: one('AWS::Scheduler::Schedule', {
            ScheduleExpression: 'rate(1 minute)',
            Target: { Arn: { 'Fn::GetAtt': ['Lambda', 'Arn'] } },
          }),
          Queued: one('AWS::Scheduler::Schedule', {
            ScheduleExpression: 'rate(1 minute)',
            Target: { Arn: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
          }),
          Cluster: one('AWS::ECS::Cluster', { ClusterSettings: [{ Name: 'containerInsights', Value: 'enabled' }] }),
          Route: one('AWS::ApiGatewayV2::Route'),
          Stage: one('AWS::ApiGatewayV2::Stage', { DefaultRouteSettings: { DetailedMetricsEnabled: true } }),
        },
      },
    });
    const usd = (what: string): number => lines.find((line) => line.what === what)?.usd ?? 0;
    const run = 2 * 0.2 * 0.000_013_333_4 + (1 + 0.2 + 5) / 1e6;
    expect(usd('schedule, with its runs')).toBeCloseTo(43_800 * (2 * run + 1.2e-6), 6);
    expect(usd('Container Insights')).toBeCloseTo(11 * 0.3);
    expect(usd('metrics of each route')).toBeCloseTo(4 * 0.3);
  });

  it('names savings by what they leave out', () => {
    const savings = savingsOf(idleCost(handMade));
    const nat = savings.find(({ instead }) => instead.includes('NAT'));
    expect(nat?.usd).toBeCloseTo(32.85 - 0.0042 * 730);
    expect(savings.every(({ usd, givesUp }) => usd > 0 && givesUp.length > 20)).toBe(true);
  });

  it.each([
    ['rate(1 minute)', 43_800],
    ['rate(6 hours)', 730 / 6],
    ['cron(*/15 * * * ? *)', 4 * 730],
    ['cron(0 3 * * ? *)', 730 / 24],
    ['cron(30 4 ? * SUN *)', 730 / 24 / 7],
    ['cron(0 0 1 * ? *)', 1],
  ])('counts the runs of %s', (expression, runs) => {
    expect(runsPerMonth(expression)).toBeCloseTo(runs, 6);
  });
});

describe('cost of use', () => {
  const worker = { cpu: 2048, memoryMiB: 8192 };
  const workload = { filesPerDay: 1000, fastMb: 2, heavyMb: 120, heavyShare: 0.05, uploadRetentionDays: 0 };

  it('bills Lambda by memory and time, Fargate by the second from start to end', () => {
    expect(fastSeconds(22)).toBeCloseTo(0.3 + 1.5 * 1.034);
    expect(heavySeconds(110, worker)).toBeCloseTo(0.3 + 1.1 + (1.5 * 5.034) / 2);
    const [lambda] = costOfJob('fast', 22, worker);
    expect(lambda?.usd).toBeCloseTo(fastSeconds(22) * (3008 / 1024) * prices.lambdaGbSecond + 2e-7, 10);
    const [alone] = costOfJob('heavy', 110, worker);
    const [shared] = costOfJob('heavy', 110, worker, { sharingStart: 1000 });
    const second = (2 * 0.03238 + 8 * 0.00356) / 3600;
    expect(alone?.usd).toBeCloseTo((heavySeconds(110, worker) + 240) * second, 10);
    expect(shared?.usd).toBeCloseTo((heavySeconds(110, worker) + 0.24) * second, 10);
  });

  it('traces all requests while they are few, and one in twenty of very many', () => {
    expect(tracedShare({ filesPerDay: 1000 })).toBe(1);
    // 3600 and 626 requests a second.
    const share = tracedShare({ filesPerDay: 3_600_000 });
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.06);
    const traces = (filesPerDay: number): number =>
      total(costOfMonth({ ...workload, filesPerDay }, worker, false).filter(({ what }) => /traces/.test(what)));
    expect(traces(1000)).toBeGreaterThan((1000 * 18 * 30 * prices.millionTraces) / 1e6);
  });

  it('shares a worker among the files that come while it is there', () => {
    expect(jobsPerStart({ ...workload, filesPerDay: 10 }, worker)).toBe(1);
    expect(jobsPerStart({ ...workload, filesPerDay: 100_000 }, worker)).toBeGreaterThan(10);
  });

  it('cools what is kept for long, and stops counting at the retention', () => {
    const dailyGb = (1000 * (2 * 0.95 + 120 * 0.05)) / 1024;
    const outputGb = (1000 * 0.1 * 90) / 1024;
    expect(stored(workload)).toMatchObject({ standardGb: dailyGb * 90 + outputGb, coldGb: dailyGb * 275 });
    const month = stored({ ...workload, uploadRetentionDays: 30 });
    expect(month).toMatchObject({ standardGb: dailyGb * 30 + outputGb, coldGb: 0 });
  });

  it('grows with the files, and its standby doubles the database’s space', () => {
    const sum = (lines: readonly { usd: number }[]): number => total(lines);
    const once = costOfMonth(workload, worker, false);
    const twice = costOfMonth({ ...workload, filesPerDay: 2000 }, worker, false);
    expect(sum(twice)).toBeGreaterThan(1.8 * sum(once));
    const space = (multiAz: boolean): number =>
      costOfMonth(workload, worker, multiAz).find(({ what }) => what === 'database space')?.usd ?? 0;
    expect(space(true)).toBeCloseTo(2 * space(false));
  });

  it('knows how much is busy at once in the busiest hour', () => {
    const peak = peakOf({ ...workload, filesPerDay: 18_000 }, worker);
    expect(peak.filesPerSecond).toBe(1);
    expect(peak.requestsPerSecond).toBe(18);
    expect(peak.fastFunctions).toBeCloseTo(0.95 * fastSeconds(2));
  });
});

describe('of the stacks', () => {
  const templates: TemplatesBySize = { small: templatesOf('small'), ha: templatesOf('ha') };

  it('keeps the small size below 100 USD a month while nobody uses it', () => {
    expect(total(idleCost(templates.small))).toBeLessThan(100);
  });

  it('counts with the memory that the fast lane has', () => {
    const lambdas = synthesised({ size: 'small' }).templates.service.findResources('AWS::Lambda::Function');
    const [[, lane]] = Object.entries(lambdas).filter(([id]) => id.startsWith('FastLane')) as [
      [string, { Properties: { MemorySize: number } }],
    ];
    expect(lane.Properties.MemorySize).toBe(measures.fastLaneGb * 1024);
  });

  it('stands in the documents as the command writes it (else: npm run cost -- --write)', () => {
    for (const [path, tables] of Object.entries(documentTables(templates))) {
      const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
      for (const [name, { head, rows }] of Object.entries(tables)) {
        const [, written = ''] = new RegExp(`<!-- ${name} -->([^]*?)<!-- /${name} -->`).exec(text) ?? [];
        expect([name, cellsOf(written)]).toEqual([name, [head, ...rows]]);
      }
    }
  });

  it('leaves out what nothing reads: metrics of each route, and Container Insights', () => {
    const what = idleCost(templates.ha).map((line) => line.what);
    expect(what).not.toContain('metrics of each route');
    expect(what).not.toContain('Container Insights');
  });
});

/** The rows of a table of Markdown, its head first. */
function cellsOf(table: string): string[][] {
  const lines = table.split('\n').filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

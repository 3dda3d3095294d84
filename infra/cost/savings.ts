import type { IdleLine } from './idle.ts';
import { total } from './idle.ts';
import { prices } from './prices.ts';

/** Something that could be cheaper, and what it would cost in other ways. */
export interface Saving {
  readonly instead: string;
  readonly usd: number;
  readonly givesUp: string;
}

interface Option {
  readonly instead: string;
  readonly types: readonly string[];
  /** What the other way costs a month. */
  readonly costs: number;
  readonly givesUp: string;
}

const nanoInstanceHour = 0.0042;

const options: readonly Option[] = [
  {
    instead: 'an instance of your own for NAT (t4g.nano) in place of the NAT gateway',
    types: ['AWS::EC2::NatGateway'],
    costs: nanoInstanceHour * prices.hours,
    givesUp:
      'someone patches it; while it is away nothing reaches SQS, Secrets Manager or the Internet, so nothing is analysed',
  },
  {
    instead: 'functions connecting to the database by themselves, without RDS Proxy',
    types: ['AWS::RDS::DBProxy'],
    costs: 0,
    givesUp:
      'each running function holds connections of its own: some 80 fit a t4g.micro, after which requests fail; a failover takes minutes instead of seconds to be noticed',
  },
  {
    instead: 'no key-value store',
    types: ['AWS::ElastiCache::ReplicationGroup'],
    costs: 0,
    givesUp: 'rate limits and places for uploads are counted by each running function alone, which means hardly at all',
  },
  {
    instead: 'no alarms and no dashboard',
    types: ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard'],
    costs: 0,
    givesUp: 'users tell you what is wrong',
  },
];

/** What could be saved of these idle costs, the most first. */
export function savingsOf(lines: readonly IdleLine[]): Saving[] {
  return options
    .map(({ types, costs, ...option }) => ({
      ...option,
      usd: total(lines.filter(({ type }) => types.includes(type))) - costs,
    }))
    .filter(({ usd }) => usd > 0)
    .toSorted((a, b) => b.usd - a.usd);
}

/** A CloudFormation template, as far as it says what costs. */
export interface CostTemplate {
  readonly Resources?: Readonly<Record<string, CostResource>>;
}

export interface CostResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** Templates by part: network, data, service and so on. */
export type CostTemplates = Readonly<Record<string, CostTemplate>>;

/** The properties of the resource of the same template that a `Ref` or `Fn::GetAtt` leads to. */
export function referred(template: CostTemplate, reference: unknown): Readonly<Record<string, unknown>> {
  const { Ref, 'Fn::GetAtt': attribute } = (reference ?? {}) as { Ref?: unknown; 'Fn::GetAtt'?: readonly unknown[] };
  const id = Ref ?? attribute?.[0];
  return (typeof id === 'string' ? template.Resources?.[id]?.Properties : undefined) ?? {};
}

/** How often a schedule runs in a month: `rate(5 minutes)`, `cron(0 3 * * ? *)`. */
export function runsPerMonth(expression: string): number {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  if (rate) return (730 * 60) / (Number(rate[1]) * { minute: 1, hour: 60, day: 1440 }[rate[2] as 'minute']);
  const cron = /^cron\((\S+) (\S+) (\S+) (\S+) (\S+)/.exec(expression);
  if (!cron) throw new Error(`Cannot tell how often ${expression} runs`);
  const [minutes, hours, days, , weekdays] = cron.slice(1) as [string, string, string, string, string];
  const daily = timesIn(minutes, 60) * timesIn(hours, 24);
  const everyDay = /^[*?]$/;
  if (!everyDay.test(days)) return daily * days.split(',').length;
  return (daily * 730) / 24 / (everyDay.test(weekdays) ? 1 : 7 / weekdays.split(',').length);
}

function timesIn(field: string, all: number): number {
  if (field === '*') return all;
  const step = /^[*\d]+\/(\d+)$/.exec(field);
  return step ? all / Number(step[1]) : field.split(',').length;
}

import type { Analytics } from '@svc/contracts';
import { count, counted, duration, moment, sentence, severities, tactics, tacticsOf } from '@svc/domain';
import { node, type DocumentNode } from './document-node.ts';
import type { Handover } from './handover.ts';
import { hourSteps } from './hours.ts';
import { shownTime } from './shown-time.ts';

/** The first page: is it bad, what happened, where, to whom and when. */
export function summaryPart(handover: Handover): DocumentNode {
  return node(
    'section',
    { class: 'summary' },
    verdict(handover),
    happened(handover),
    contents(handover),
    limits(handover),
    hostsAndUsers(handover.analytics),
    hours(handover.analytics),
  );
}

function verdict({ subject, findings }: Handover): DocumentNode[] {
  const { severitySummary: summary, totalFindings, distinctRules } = subject;
  const worst = severities.find((severity) => summary[severity] > 0);
  const word = worst ? sentence(worst) : subject.isAnalysed ? 'no rule matched' : 'none';
  const figures = [
    ['Matched events', count(totalFindings)],
    ['Rules', count(distinctRules)],
    ['Findings', count(findings.length)],
    ['Records read', subject.events === null ? 'not known' : count(subject.events)],
  ] as const;
  return [
    node('h2', {}, `Verdict: ${word}`),
    node(
      'dl',
      { class: 'figures' },
      figures.map(([name, value]) => node('div', {}, node('dt', {}, name), node('dd', {}, value))),
    ),
    node(
      'ul',
      { class: 'severities' },
      severities.map((severity) =>
        node('li', { class: `severity ${severity}` }, node('b', {}, count(summary[severity])), ` ${severity}`),
      ),
    ),
  ];
}

function happened(handover: Handover): DocumentNode[] {
  const { subject, happened: sentences } = handover;
  const told =
    sentences.length === 0
      ? sentencesOf(handover)
      : [span(subject.firstEventAt, subject.lastEventAt), ...sentences.map(partsOf)];
  return [
    node('h2', {}, 'What happened'),
    node(
      'ul',
      {},
      told.map((text) => node('li', {}, text)),
    ),
  ];
}

function partsOf({ parts }: Handover['happened'][number]): (DocumentNode | string)[] {
  return parts.map(({ text, verbatim }) => (verbatim ? node('code', {}, text) : text));
}

function contents({ contents: sentences }: Handover): DocumentNode[] {
  if (sentences.length === 0) return [];
  return [
    node('h2', {}, 'What was in the log'),
    node(
      'ul',
      {},
      sentences.map((one) => node('li', {}, partsOf(one))),
    ),
  ];
}

/** The figures of a report in sentences. */
function sentencesOf({ subject, findings, analytics }: Handover): string[] {
  if (subject.totalFindings === 0) {
    return [
      subject.isAnalysed
        ? 'No rule matched. That says no rule knows what is in this log; it does not say that nothing happened.'
        : 'The log was not analysed to its end, so nothing can be said about it.',
    ];
  }
  const { frequent, computers = [], users = [] } = analytics ?? {};
  const named = tactics.filter((tactic) => findings.some(({ tags }) => tacticsOf(tags).includes(tactic)));
  return [
    span(subject.firstEventAt, subject.lastEventAt),
    mostOf('host', frequent?.computer, computers.length),
    mostOf('user', frequent?.user, users.length),
    named.length === 0 ? null : `The rules that matched are of the tactics ${named.map(plainTactic).join(', ')}.`,
  ].filter((text) => text !== null);
}

function plainTactic(tactic: string): string {
  return tactic.replaceAll('_', ' ');
}

function span(first: string | null, last: string | null): string {
  if (first === null || last === null) return 'The matched events carry no times.';
  const length = (moment(last)?.at ?? 0) - (moment(first)?.at ?? 0);
  if (length <= 0) return `What matched happened at ${shownTime(first)} UTC.`;
  return `What matched happened from ${shownTime(first)} to ${shownTime(last)} UTC, over ${duration(length)}.`;
}

function mostOf(kind: string, names: Counted | undefined, total: number): string | null {
  const [most] = names ?? [];
  if (!most) return null;
  return total === 1
    ? `All matched events that name a ${kind} name ${most.value}.`
    : `Of ${counted(total, kind)}, ${most.value} is named by most matched events: ${count(most.count)}.`;
}

function limits({ subject }: Handover): DocumentNode[] {
  if (subject.limits.length === 0) return [];
  return [
    node('h2', {}, 'What limits this report'),
    node(
      'ul',
      {},
      subject.limits.slice(0, mostLimits).map((limit) => node('li', {}, limit)),
      subject.limits.length > mostLimits &&
        node('li', {}, `and ${count(subject.limits.length - mostLimits)} more, named in the report itself`),
    ),
  ];
}

type Counted = NonNullable<Analytics['frequent']>['computer'];

/** Names of a kind, and limits, on the first page. */
const [mostNames, mostLimits] = [8, 5];

function hostsAndUsers(analytics: Analytics | null): DocumentNode[] {
  const { frequent, computers = [], users = [] } = analytics ?? {};
  if (!frequent || computers.length + users.length === 0) return [];
  return [
    node('h2', {}, 'Hosts and users'),
    node(
      'div',
      { class: 'beside' },
      namesTable('Host', frequent.computer, computers.length),
      namesTable('User', frequent.user, users.length),
    ),
  ];
}

function namesTable(kind: string, names: Counted, total: number): DocumentNode | null {
  const shown = names.slice(0, mostNames);
  if (shown.length === 0) return null;
  return node(
    'table',
    {},
    node(
      'thead',
      {},
      node(
        'tr',
        {},
        node('th', { scope: 'col' }, kind),
        node('th', { scope: 'col', class: 'number' }, 'Matched events'),
      ),
    ),
    node(
      'tbody',
      {},
      shown.map(({ value, count: events }) =>
        node('tr', {}, node('td', { class: 'value' }, value), node('td', { class: 'number' }, count(events))),
      ),
      total > shown.length && node('tr', {}, node('td', { colspan: 2 }, `and ${count(total - shown.length)} more`)),
    ),
  );
}

/** Of the picture, in its own units; it is as wide as the page. */
const [width, height] = [720, 80];

function hours(analytics: Analytics | null): DocumentNode[] {
  const steps = hourSteps(analytics?.timeline ?? []);
  if (steps === null) return [];
  const { counts, from, stepHours } = steps;
  const most = counts.reduce((a, b) => Math.max(a, b));
  const step = width / Math.max(24, counts.length);
  const at = (place: number): string =>
    shownTime(new Date(from + place * stepHours * 3_600_000).toISOString()).slice(0, 16);
  const fullest = counts.indexOf(most);
  const each = stepHours === 1 ? 'hour' : `${stepHours} hours`;
  const words = `From ${at(0)} to ${at(counts.length)} UTC, a bar for each ${each}; the fullest begins at ${at(fullest)} and has ${count(most)}.`;
  return [
    node('h2', {}, 'Matches by hour, UTC'),
    node(
      'svg',
      { class: 'hours', viewBox: `0 0 ${width} ${height + 1}`, role: 'img', 'aria-label': words },
      counts.map((events, place) => {
        const tall = events === 0 ? 0 : Math.max(1, Math.round((height * events) / most));
        return (
          events > 0 &&
          node('rect', {
            x: rounded(place * step),
            y: height - tall,
            width: rounded(Math.max(1, step * 0.9)),
            height: tall,
          })
        );
      }),
      node('path', { d: `M0 ${height + 0.5}H${width}` }),
    ),
    node('p', {}, words),
  ];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

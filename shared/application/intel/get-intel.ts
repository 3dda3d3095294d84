import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { entitySearchHelp, tagColor, tagName, type Actor } from '@svc/domain';
import { shownName } from '../jobs/job-row.ts';
import type { Ports } from '../ports/ports.ts';

const mostTags = 200;

const forms: readonly (readonly [form: string, meaning: string])[] = [
  ['svchost', 'Value contains this'],
  ['^admin*', 'Value begins with this; *.example$ is what it ends with'],
  ['-"enc"', 'Without this'],
  ['a OR b', 'Either; parentheses group'],
  ['tag:c2,apt/', entitySearchHelp.tag],
  ['type:ip,exe', entitySearchHelp.type],
  ['attr:lolbin', entitySearchHelp.attr],
  ['label:public', entitySearchHelp.label],
  ['job:42', entitySearchHelp.job],
  ['cidr:10.0.0.0/8', entitySearchHelp.cidr],
  ['in:(a.example,b.example)', entitySearchHelp.in],
  ['re:/^svc[0-9]+$/', entitySearchHelp.re],
  ['list:name', entitySearchHelp.list],
  ['seen:<7d', entitySearchHelp.seen],
  ['first:>=2026-07-01', entitySearchHelp.first],
  ['jobs:>3', entitySearchHelp.jobs],
  ['is:allowlisted', entitySearchHelp.is],
  ['has:finding', entitySearchHelp.has],
];

/** What there is on the whole (resolved-intel 4.1). */
export async function getIntel(
  ports: Pick<Ports, 'alertRules' | 'caseLists' | 'entityAlerts' | 'entityLists' | 'jobAlerts' | 'jobViews' | 'tags'>,
  actor: Actor,
  { job }: InputOf<typeof operations.getIntel>,
): Promise<OutputOf<typeof operations.getIntel>> {
  const { alertRules, caseLists, entityAlerts, entityLists, jobAlerts, jobViews, tags } = ports;
  const counts = await entityLists.counts(actor);
  const view = job === null ? null : await jobViews.get(actor, job);
  const known = await tags.find(actor, { text: '', limit: mostTags });
  const cases = await caseLists.counts(actor, '');
  const shared = await alertRules.sharedInForce();
  return {
    total_entities: Object.values(counts.byType).reduce((sum, many) => sum + many, 0),
    type_counts: counts.byType,
    jobs_with_entities: counts.jobs,
    watchlisted: counts.watched,
    allowlisted: counts.allowlisted,
    open_cases: cases.open + cases.monitoring,
    unacked_alerts: (await entityAlerts.unread(actor)) + (await jobAlerts.unread(actor)),
    tag_count: await tags.count(),
    labels: shared.flatMap(({ scope, name, actionTags: [given] }) => {
      if (scope !== 'entity' || given === undefined) return [];
      const tag = tagName(given.name);
      // Rules never recolour a tag: the vocabulary says how it looks.
      return [{ tag, name, color: known.find((one) => one.name === tag)?.color ?? tagColor(given.color) }];
    }),
    known_tags: known.map(({ name }) => name),
    job_context: view === null ? null : { id: view.job.id, label: shownName(view) },
    syntax_help: forms.map(([form, meaning]) => [form, meaning]),
  };
}

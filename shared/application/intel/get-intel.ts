import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { entitySearchHelp, type Actor } from '@svc/domain';
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
  { entityLists, jobViews, tags }: Pick<Ports, 'entityLists' | 'jobViews' | 'tags'>,
  actor: Actor,
  { job }: InputOf<typeof operations.getIntel>,
): Promise<OutputOf<typeof operations.getIntel>> {
  const counts = await entityLists.counts(actor);
  const view = job === null ? null : await jobViews.get(actor, job);
  const known = await tags.find(actor, { text: '', limit: mostTags });
  return {
    total_entities: Object.values(counts.byType).reduce((sum, many) => sum + many, 0),
    type_counts: counts.byType,
    jobs_with_entities: counts.jobs,
    watchlisted: counts.watched,
    allowlisted: counts.allowlisted,
    known_tags: known.map(({ name }) => name),
    job_context: view === null ? null : { id: view.job.id, label: shownName(view) },
    syntax_help: forms.map(([form, meaning]) => [form, meaning]),
  };
}

import type { SeenEntity } from '@svc/contracts';
import { counted, moment } from '../../../ui/format.ts';

/** Where else a value was seen, in a few words. */
export function seenWords({ jobs, jobs_before: before }: Pick<SeenEntity, 'jobs' | 'jobs_before'>): string {
  if (jobs === 0) return 'New here: in no other job that you may see';
  if (before === 0) return `New here, then in ${counted(jobs, 'later job')}`;
  const later = jobs - before;
  return `Seen before, in ${counted(before, 'job')}${later > 0 ? `, and in ${counted(later, 'later one')}` : ''}`;
}

/** What is known of a value, for whom points at it: a line for each thing. */
export function knownHint(entity: SeenEntity): string {
  const [first, last] = [entity.first_seen_at, entity.last_seen_at].map((iso) => moment(iso)?.utc ?? iso);
  const times = first === last ? `Analysed ${first} UTC` : `First analysed ${first}, last ${last} UTC`;
  const tags = entity.tags.map(({ tag }) => tag).join(', ');
  return [seenWords(entity), times, tags && `Tags: ${tags}`, entity.allowlisted && 'Allowlisted']
    .filter((line) => line)
    .join('\n');
}

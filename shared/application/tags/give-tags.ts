import { tell } from '../happenings/tell.ts';
import type { Ports } from '../ports/ports.ts';
import type { JobTagging, NewTagLink, WantedTag } from './tag-repository.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import { byJob } from './by-job.ts';

/** Gives all the jobs that are there all the tags, and tells of those that are new; returns these. */
export function giveTags(
  { transaction }: Pick<Ports, 'transaction'>,
  wanted: readonly WantedTag[],
  tagging: JobTagging,
): Promise<readonly NewTagLink[]> {
  return transaction(async (tx) => {
    const held = await tx.jobs.hold(tagging.jobIds);
    const links = await tx.tags.add(wanted, { ...tagging, jobIds: held.map(({ id }) => id) });
    await tx.jobs.mark([...byJob(links).keys()]);
    await tellOfTags(tx, links, tagging);
    return links;
  });
}

/** Tells of the tags that jobs were given at once, which the transaction holds. */
export async function tellOfTags(
  tx: TransactionPorts,
  links: readonly NewTagLink[],
  { by, at }: Pick<JobTagging, 'by' | 'at'>,
): Promise<void> {
  const happened = [...byJob(links)].map(([id, given]) => ({
    kind: 'tagged' as const,
    subject: { kind: 'job' as const, id },
    by,
    at,
    tags: given.map(({ id: link, name }) => ({ link, name })),
  }));
  await tell(tx, ...happened);
}

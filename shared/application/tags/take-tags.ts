import { tell } from '../happenings/tell.ts';
import type { Ports } from '../ports/ports.ts';
import type { JobTagging, TakenTag } from './tag-repository.ts';
import { byJob } from './by-job.ts';

/** Takes tags off the jobs that are there, and tells of it; returns those that there were. */
export function takeTags(
  { transaction }: Pick<Ports, 'transaction'>,
  names: readonly string[],
  { jobIds, by, at }: JobTagging,
): Promise<readonly TakenTag[]> {
  return transaction(async (tx) => {
    const held = await tx.jobs.hold(jobIds);
    const taken = await tx.tags.remove(
      names,
      held.map(({ id }) => id),
    );
    await tx.jobs.mark([...byJob(taken).keys()]);
    const happened = [...byJob(taken)].map(([id, off]) => ({
      kind: 'untagged' as const,
      subject: { kind: 'job' as const, id },
      by,
      at,
      names: off.map(({ name }) => name),
    }));
    await tell(tx, ...happened);
    return taken;
  });
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { visibleCase } from './visible-case.ts';

/** Entities of a case that are named by rules which fired in a window of time, by the case's clock (resolved-intel 7.9). */
export async function getCaseGraphActive(
  ports: Pick<Ports, 'caseStory' | 'cases' | 'derivations'>,
  actor: Actor,
  {
    id,
    frm = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
    job_id: job,
  }: InputOf<typeof operations.getCaseGraphActive>,
): Promise<OutputOf<typeof operations.getCaseGraphActive>> {
  await visibleCase(ports, actor, id);
  const members = await ports.caseStory.jobs(actor, id);
  const jobs = job === null ? members : members.filter((one) => one.id === job);
  if (job !== null && jobs.length === 0) throw notFound('job');
  const fired = new Set<number>();
  let [withoutIndex, withoutIds] = [0, 0];
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // One after the other: an index is large, and what is kept of it small.
  for (const { id: jobId, clockOffset } of jobs) {
    const index = await ports.derivations.alerts(jobId);
    if (index === null) {
      withoutIndex += 1;
      continue;
    }
    const findings = index.keys.map(([, , , , , , finding]) => finding);
    if (findings.some((finding) => !(finding > 0))) withoutIds += 1;
    // Markers ascend, each for what began in its step.
    const [least, most] = [index.ts[0], index.ts.at(-1)];
    if (least !== undefined && most !== undefined) {
      first = Math.min(first, (least - clockOffset) * 1000);
      last = Math.max(last, (most - clockOffset) * 1000);
    }
    for (const [place, second] of index.ts.entries()) {
      const start = (second - clockOffset) * 1000;
      if (start + index.res * 1000 <= frm || start > to) continue;
      const finding = findings[index.k[place]!]!;
      if (finding > 0) fired.add(finding);
    }
  }
  return {
    entity_ids: [...(await ports.caseStory.membersNamedBy(id, [...fired]))],
    jobs: jobs.length,
    jobs_without_index: withoutIndex,
    jobs_without_finding_ids: withoutIds,
    index_missing: jobs.length > 0 && withoutIndex === jobs.length,
    extent: last >= first ? { from: first, to: last } : null,
  };
}

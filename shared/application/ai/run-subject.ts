import { AppError, type Actor, type AiSubject } from '@svc/domain';
import { visibleCase } from '../cases/visible-case.ts';
import { visibleJob } from '../jobs/visible-job.ts';
import type { Ports } from '../ports/ports.ts';
import type { AiRunSubject } from './ai-run-repository.ts';

export type SubjectPorts = Pick<Ports, 'cases' | 'caseTimelines' | 'jobViews'>;

const analysed: ReadonlySet<string> = new Set(['completed', 'partial']);

/** What runs are about, if the viewer sees it; throws `not_found` or `case_not_found`. */
export async function visibleSubject(
  ports: Pick<Ports, 'cases' | 'jobViews'>,
  viewer: Actor,
  subject: AiSubject,
  id: number,
): Promise<AiRunSubject> {
  if (subject === 'job') await visibleJob(ports, viewer, id);
  else await visibleCase(ports, viewer, id);
  return { subject, subjectId: id };
}

/** Throws `not_analysable` where there is nothing that a model could be asked about. */
export async function checkAnalysable(
  ports: SubjectPorts,
  viewer: Actor,
  { subject, subjectId: id }: AiRunSubject,
): Promise<void> {
  if (subject === 'job') {
    const { status } = await visibleJob(ports, viewer, id);
    if (analysed.has(status)) return;
    throw new AppError(
      'not_analysable',
      `Only a job whose analysis has ended can be analysed by a model; this one is ${status}`,
    );
  }
  const members = await ports.caseTimelines.members(viewer, id);
  if (members.some(({ status }) => analysed.has(status))) return;
  throw new AppError('not_analysable', 'No job of this case that you see has an analysis that has ended');
}

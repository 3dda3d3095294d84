import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentProcessTree } from './shown/process-tree.ts';
import { requirePanel } from '../system/panels.ts';
import { visibleJob } from '../jobs/visible-job.ts';

/** The processes that a job's matched events tell of (resolved-platform 7); none for a job that has none. */
export async function getProcessTree(
  { derivations, jobViews, settings }: Pick<Ports, 'derivations' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getProcessTree>,
): Promise<OutputOf<typeof operations.getProcessTree>> {
  const [, site] = await Promise.all([visibleJob({ jobViews }, actor, id), settings.current()]);
  requirePanel(site, 'process_tree');
  return presentProcessTree(await derivations.processes(id));
}

import type { InputOf, operations, OutputOf, ProcessNode } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { ProcessTree } from '@svc/engine';
import type { Ports } from '../ports/ports.ts';
import { requirePanel } from '../settings/panels.ts';

const maxNodes = 2000;
const none: OutputOf<typeof operations.getProcessTree> = {
  roots: [],
  stats: { processes: 0, hits: 0, inferred: 0, roots: 0, truncated: false, depth_capped: false, max_nodes: maxNodes },
};

/** The processes that a job's matched events tell of (resolved-platform 7); none for a job that has none. */
export async function getProcessTree(
  { derivations, jobViews, settings }: Pick<Ports, 'derivations' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getProcessTree>,
): Promise<OutputOf<typeof operations.getProcessTree>> {
  const [[job], site] = await Promise.all([jobViews.among(actor, [id]), settings.current()]);
  if (!job) throw notFound('job');
  requirePanel(site, 'process_tree');
  const tree = await derivations.processes(id);
  return tree === null ? none : { roots: tree.roots.map(toNode), stats: tree.stats };
}

function toNode(node: ProcessTree['roots'][number]): ProcessNode {
  return {
    ...node,
    image_alts: [...node.image_alts],
    hashes: [...node.hashes],
    children: node.children.map(toNode),
  };
}

import type { ProcessNode, ProcessTree } from '@svc/contracts';
import type { JobProcess, JobProcesses } from '../derivation-repository.ts';

const maxNodes = 2000;
const none: ProcessTree = {
  roots: [],
  stats: { processes: 0, hits: 0, inferred: 0, roots: 0, truncated: false, depth_capped: false, max_nodes: maxNodes },
};

/** The processes that matched events tell of (resolved-platform 7); an empty tree where there is none. */
export function presentProcessTree(tree: JobProcesses | null): ProcessTree {
  return tree === null ? none : { roots: tree.roots.map(toNode), stats: tree.stats };
}

function toNode({ parent_pid: _parentPid, ...node }: JobProcess): ProcessNode {
  return {
    ...node,
    image_alts: [...node.image_alts],
    hashes: [...node.hashes],
    findings: [...(node.findings ?? [])],
    children: node.children.map(toNode),
  };
}

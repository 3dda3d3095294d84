import type { CaseForest, CaseProcess, CaseProcesses, InputOf, operations } from '@svc/contracts';
import { notFound, type Actor, type EntityType } from '@svc/domain';
import { hostTree, joinTolerance, mergeProcesses, type HostProcesses, type MergedNode } from '@svc/engine';
import { jobLeftOut } from '../intel/entity-scope.ts';
import { listEntityRelationships } from '../intel/list-entity-relationships.ts';
import { isLineageType, pruneToEntity } from '../intel/process-lineage.ts';
import type { Ports } from '../ports/ports.ts';
import type { JobProcesses } from '../report/derivation-repository.ts';
import { panelsOf } from '../system/panels.ts';
import type { CaseJob } from './case-story.ts';
import { visibleCase } from './visible-case.ts';

/** Processes that are merged at once; a tree of one log has 2,000 at most. */
const mostProcesses = 50_000;

/** The processes of one host, from all jobs of a case that the actor sees (resolved-intel 8). */
export async function getCaseProcessTree(
  ports: Pick<Ports, 'caseStory' | 'cases' | 'derivations' | 'entities' | 'entityLinks' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id, host: asked, job, entity_id: entityId }: InputOf<typeof operations.getCaseProcessTree>,
): Promise<CaseProcesses> {
  await visibleCase(ports, actor, id);
  const all = await ports.caseStory.jobs(actor, id);
  const isUsable = job !== null && all.some((one) => one.id === job);
  const anchor = entityId === null ? null : await anchorOf(ports, id, entityId);
  const answer: CaseProcesses = {
    hosts: [],
    host: null,
    forest: null,
    reason: null,
    jobs: all.map(({ id: jobId, fileName, clockOffset }) => ({
      id: jobId,
      filename: fileName,
      clock_offset: clockOffset,
    })),
    jobs_left_out: 0,
    findings: [],
    anchor_dropped: isUsable && anchor !== null && !(await ports.entityLinks.isOf(entityId!, job)),
    relationships: null,
    tolerance: joinTolerance.sure / 1000,
    notices: job === null || isUsable ? [] : [jobLeftOut],
  };
  if (!panelsOf(await ports.settings.current()).process_tree) return { ...answer, reason: 'disabled' };
  const jobs = isUsable ? all.filter((one) => one.id === job) : all;
  const { read, leftOut } = await treesOf(ports, jobs);
  const merged = mergeProcesses(read).toSorted((a, b) => findingsOf(b).size - findingsOf(a).size);
  const shown = merged.find(({ host }) => host.toLowerCase() === asked?.toLowerCase()) ?? merged[0];
  if (shown === undefined) return { ...answer, jobs_left_out: leftOut };
  const tree = hostTree(shown);
  const forest = { roots: tree.roots.map(toNode), stats: tree.stats };
  return {
    ...answer,
    hosts: merged.map(toHost),
    host: shown.host,
    forest: anchor === null || answer.anchor_dropped ? forest : pruneToEntity(forest, anchor),
    jobs_left_out: leftOut,
    findings: await named(ports, shown),
    relationships: await relationsOf(ports, actor, { answer, entityId, job: isUsable ? job : null }),
  };
}

/** An entity of the case that processes can be, or name. Throws `not_found` for others. */
async function anchorOf({ caseStory }: Pick<Ports, 'caseStory'>, caseId: number, entityId: number) {
  const entity = await caseStory.member(caseId, entityId);
  if (entity === null || !isLineageType(entity.type)) throw notFound('entity');
  return { ...entity, type: entity.type satisfies EntityType };
}

/** The trees of jobs, one after the other, until they tell of more processes than are merged. */
async function treesOf({ derivations }: Pick<Ports, 'derivations'>, jobs: readonly CaseJob[]) {
  const read: { log: number; clockOffset: number; roots: JobProcesses['roots'] }[] = [];
  let many = 0;
  for (const [nth, { id, clockOffset }] of jobs.entries()) {
    if (many >= mostProcesses) return { read, leftOut: jobs.length - nth };
    const tree = await derivations.processes(id);
    if (tree === null) continue;
    many += tree.stats.processes;
    read.push({ log: id, clockOffset, roots: tree.roots });
  }
  return { read, leftOut: 0 };
}

async function relationsOf(
  ports: Pick<Ports, 'entities' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  { answer, entityId, job }: { answer: CaseProcesses; entityId: number | null; job: number | null },
): Promise<CaseProcesses['relationships']> {
  if (entityId === null || job === null || answer.anchor_dropped) return null;
  return (await listEntityRelationships(ports, actor, { id: entityId, job })).groups;
}

/** The findings of a host's processes. */
async function named({ caseStory }: Pick<Ports, 'caseStory'>, host: HostProcesses): Promise<CaseProcesses['findings']> {
  const found = await caseStory.findings([...findingsOf(host)]);
  return found.map(({ id, jobId, ruleName, severity }) => ({ id, job_id: jobId, rule_name: ruleName, severity }));
}

function findingsOf({ processes }: HostProcesses): Set<number> {
  return new Set(processes.flatMap(({ of }) => of.flatMap(({ node }) => node.findings ?? [])));
}

function logsOf({ processes }: HostProcesses): number[] {
  return [...new Set(processes.flatMap(({ of }) => of.map(({ log }) => log)))].sort((a, b) => a - b);
}

function toHost(host: HostProcesses): CaseProcesses['hosts'][number] {
  const joined = host.processes.filter(({ of }) => of.length > 1);
  return {
    name: host.host,
    processes: host.processes.length,
    joined: joined.length,
    doubtful: joined.filter(({ doubts }) => doubts.length > 0).length,
    findings: findingsOf(host).size,
    jobs: logsOf(host),
  };
}

function toNode({ logs, ...node }: MergedNode): CaseForest['roots'][number] {
  return {
    ...node,
    image_alts: [...node.image_alts],
    hashes: [...node.hashes],
    findings: [...node.findings],
    doubts: [...node.doubts],
    jobs: [...logs],
    children: node.children.map(toNode),
  } satisfies CaseProcess;
}

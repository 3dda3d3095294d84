import type { operations, OutputOf, Worker } from '@svc/contracts';
import { analysisKey } from '@svc/contracts/tasks.ts';
import type { LiveWorker } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import type { LaneDepth } from '../../ports/queue-depths.ts';
import { hostsOf } from './hosts.ts';

/** Analyses under way that are looked at. */
const mostRunning = 1000;

type FleetPorts = Pick<
  Ports,
  'clock' | 'deployment' | 'figures' | 'ledger' | 'queueDepths' | 'settings' | 'workers' | 'workflows'
>;

/** Who analyses jobs, what waits for them, and jobs that nobody works on (resolved-platform 16.4). */
export async function listWorkers(ports: FleetPorts): Promise<OutputOf<typeof operations.listWorkers>> {
  const [hosts, { caps }, lanes] = await Promise.all([
    hostsOf(ports),
    ports.workers.fleet(),
    ports.queueDepths.lanes(),
  ]);
  const workers = hosts.flatMap((host) => host.workers.map((worker) => shown(worker, host.cap)));
  const known = new Set(workers.flatMap(({ jobs }) => jobs.map((job) => job.job_id)));
  const others = (await ports.figures.runningJobs(mostRunning)).filter(({ jobId }) => !known.has(jobId));
  const held = await Promise.all(others.map(async ({ jobId }) => (await ports.ledger.state(analysisKey(jobId)))?.held));
  const stuck = others.filter((_, place) => held[place] !== true);
  return {
    workers,
    hosts: hosts.map((host) => ({
      hostname: host.hostname,
      state: host.state,
      max_concurrent_jobs: host.cap,
      active_jobs: host.activeJobs,
      threads: host.threads,
      cores: host.cores,
      peak_threads: host.peakThreads,
      works_anyway: host.worksAnyway,
    })),
    queue_depth: analysesWaiting(lanes),
    lanes: lanes.map(({ lane, waiting, delayed, underWay, oldestSeconds }) => ({
      lane,
      waiting,
      delayed,
      under_way: underWay,
      oldest_seconds: oldestSeconds,
    })),
    stuck_jobs: stuck.map(({ jobId, since }) => ({ job_id: jobId, since: since.toISOString() })),
    other_jobs: others.length - stuck.length,
    on_demand: ports.deployment.heavyQueue,
    policies: Object.fromEntries(caps),
  };
}

/** Analyses that a worker could begin now. */
export function analysesWaiting(lanes: readonly LaneDepth[]): number {
  return lanes.filter(({ lane }) => lane === 'fast' || lane === 'heavy').reduce((sum, { waiting }) => sum + waiting, 0);
}

function shown({ facts, jobs, counts, lastSeen }: LiveWorker, cap: number): Worker {
  return {
    process: facts.process,
    worker_name: facts.name ?? facts.process,
    hostname: facts.hostname,
    ip_address: facts.ipAddress,
    pid: facts.pid,
    last_seen: lastSeen.toISOString(),
    started_at: facts.startedAt,
    os: facts.os,
    arch: facts.arch,
    runtime_version: facts.runtimeVersion,
    version: facts.version,
    cpu_count: facts.cpuCount,
    memory_gb: facts.memoryGb,
    threads: facts.threads,
    max_concurrent_jobs: cap,
    active_jobs: jobs.length,
    current_job_id: jobs.find(({ jobId }) => jobId !== null)?.jobId ?? null,
    jobs_completed: Object.values(counts.ended).reduce((sum, count) => sum + count, 0),
    jobs: jobs.map(({ jobId, since }) => ({ job_id: jobId, since })),
  };
}

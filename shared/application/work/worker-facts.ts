import type { WorkerFacts } from '@svc/domain';
import { arch, availableParallelism, hostname, networkInterfaces, platform, release, totalmem } from 'node:os';
import type { Ports } from '../ports/ports.ts';

const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString();

/** What this process is, as a worker (resolved-platform 16.4). */
export function workerFacts({ deployment }: Pick<Ports, 'deployment'>): WorkerFacts {
  const { worker } = deployment;
  return {
    process: `${hostname()}:${process.pid}`,
    name: worker.name,
    hostname: hostname(),
    ipAddress: worker.ipAddress ?? ownAddress(),
    pid: process.pid,
    os: `${platform()} ${release()}`,
    arch: arch(),
    runtimeVersion: `Node.js ${process.versions.node}`,
    version: deployment.version,
    cpuCount: availableParallelism(),
    // What a container may have, where that is less than the machine's.
    memoryGb: Math.round((Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 30) * 10) / 10,
    threads: deployment.workers,
    engineThreads: worker.engineThreads,
    tasksAtOnce: deployment.tasksAtOnce,
    startedAt,
  };
}

/** The first address by which other hosts may know this one. */
function ownAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outer = all.filter(({ internal }) => !internal);
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address ?? null;
}

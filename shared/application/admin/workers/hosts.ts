import { pausedCap, type LiveWorker } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';

type State = 'working' | 'idle' | 'draining' | 'paused' | 'silent';

/** The workers of a host together. */
export interface Host {
  readonly hostname: string;
  readonly workers: readonly LiveWorker[];
  readonly state: State;
  readonly cap: number;
  readonly activeJobs: number;
  readonly threads: number;
  readonly cores: number;
  /** Threads that want a core when all of them analyse the largest logs at once (resolved-platform 16.4). */
  readonly peakThreads: number;
  /** It is paused, and works all the same, as no other host does. */
  readonly worksAnyway: boolean;
}

/** Hosts that analyse jobs, by name. */
export async function hostsOf(
  ports: Pick<Ports, 'clock' | 'deployment' | 'settings' | 'workers' | 'workflows'>,
): Promise<readonly Host[]> {
  const [{ workers, caps }, sideBySide] = await Promise.all([ports.workers.fleet(), tasksSideBySide(ports)]);
  const now = ports.clock.now().getTime();
  const names = [...new Set(workers.map(({ facts }) => facts.hostname))];
  return names.map((hostname) => {
    const its = workers.filter(({ facts }) => facts.hostname === hostname);
    const sum = (of: (worker: LiveWorker) => number): number => its.reduce((total, worker) => total + of(worker), 0);
    const cap = caps.get(hostname) ?? 0;
    const activeJobs = sum(({ jobs }) => jobs.length);
    const isSilent = its.every(
      ({ lastSeen }) => now - lastSeen.getTime() > silentMs(ports.deployment.heartbeatSeconds),
    );
    const state: State = isSilent
      ? 'silent'
      : cap === pausedCap
        ? activeJobs > 0
          ? 'draining'
          : 'paused'
        : activeJobs > 0
          ? 'working'
          : 'idle';
    return {
      hostname,
      workers: its,
      state,
      cap,
      activeJobs,
      threads: sum(({ facts }) => facts.threads),
      cores: Math.max(...its.map(({ facts }) => facts.cpuCount)),
      peakThreads: sum(({ facts }) => facts.threads * Math.min(facts.tasksAtOnce, sideBySide) * facts.engineThreads),
      worksAnyway: cap === pausedCap && names.length === 1,
    };
  });
}

/** Of hosts whose analyses may want more cores than there are, a line each (resolved-platform 16.3). */
export function parallelRisks(hosts: readonly Host[]): readonly string[] {
  return hosts
    .filter(({ peakThreads, cores }) => peakThreads > cores)
    .map(({ hostname, peakThreads, cores }) => `${hostname}: peak ${peakThreads} > ${cores} cores`);
}

/** Two signs of life that did not come, and a moment. */
function silentMs(heartbeatSeconds: number): number {
  return heartbeatSeconds * 2000 + 5000;
}

/** Tasks of one job that may run at the same time, as far as its workflow decides. */
async function tasksSideBySide({ settings, workflows }: Pick<Ports, 'settings' | 'workflows'>): Promise<number> {
  if (!(await settings.current()).parallelExecution) return 1;
  const counts = (await workflows.list()).map(async ({ id }) => (await workflows.tasks(id)).length);
  return Math.max(1, ...(await Promise.all(counts)));
}

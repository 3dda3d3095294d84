import { pausedCap, type ReadinessCheck } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { hostsOf, parallelRisks, type Host } from './hosts.ts';
import { analysesWaiting } from './list-workers.ts';

/** More jobs than that wait longer than people like to. */
const deepQueue = 25;

type CheckPorts = Pick<Ports, 'clock' | 'deployment' | 'queueDepths' | 'settings' | 'workers' | 'workflows'>;

/** Whether there is somebody to analyse what waits, and whether they have the cores for it (resolved-platform 16.1). */
export async function checkWorkers(ports: CheckPorts): Promise<readonly ReadinessCheck[]> {
  const [hosts, lanes] = await Promise.all([hostsOf(ports), ports.queueDepths.lanes()]);
  const waiting = analysesWaiting(lanes);
  return [workersCheck(hosts, waiting, ports.deployment.heavyQueue), depthCheck(waiting), pressureCheck(hosts)];
}

function workersCheck(hosts: readonly Host[], waiting: number, isOnDemand: boolean): ReadinessCheck {
  const check = { section: 'Workers', name: 'Workers' } as const;
  const jobs = waiting === 1 ? '1 job waits' : `${waiting} jobs wait`;
  const alive = hosts.filter(({ state }) => state !== 'silent');
  if (alive.length === 0 && isOnDemand) {
    const message = 'No worker runs now; functions analyse small logs, and workers are started for large ones';
    return { ...check, level: 'INFO', message, fix: null };
  }
  if (alive.length === 0) {
    const message = waiting > 0 ? `No worker is alive, and ${jobs}` : 'No worker is alive';
    const fix = 'Start one with npm run worker, or set TASKQ_WORKERS above 0 for the process that serves';
    return { ...check, level: waiting > 0 ? 'FAIL' : 'WARN', message, fix };
  }
  if (waiting > 0 && alive.length > 1 && alive.every(({ cap }) => cap === pausedCap)) {
    const message = `Every host is paused, and ${jobs}`;
    return { ...check, level: 'WARN', message, fix: 'Let a host work again on the page of workers' };
  }
  const count = alive.reduce((sum, { workers }) => sum + workers.length, 0);
  const message = `${count === 1 ? '1 worker is' : `${count} workers are`} alive on ${alive.length === 1 ? '1 host' : `${alive.length} hosts`}`;
  return { ...check, level: 'PASS', message, fix: null };
}

function depthCheck(waiting: number): ReadinessCheck {
  const check = { section: 'Workers', name: 'Queue depth' } as const;
  const message = waiting === 1 ? '1 job waits for a worker' : `${waiting} jobs wait for a worker`;
  if (waiting <= deepQueue) return { ...check, level: 'INFO', message, fix: null };
  return { ...check, level: 'WARN', message, fix: 'Start more workers, or raise TASKQ_WORKERS where cores are idle' };
}

function pressureCheck(hosts: readonly Host[]): ReadinessCheck {
  const check = { section: 'Resources', name: 'CPU and threads' } as const;
  const risks = parallelRisks(hosts);
  if (risks.length === 0) {
    const message =
      hosts.length === 0 ? 'No worker is alive to look at' : 'No host has more threads than cores at its peak';
    return { ...check, level: hosts.length === 0 ? 'INFO' : 'PASS', message, fix: null };
  }
  const fix = 'Lower TASKQ_WORKERS, TOOL_MAX_WORKERS or ENGINE_THREADS there, or limit the host on the page of workers';
  return { ...check, level: 'WARN', message: `More threads than cores at the peak: ${risks.join('; ')}`, fix };
}

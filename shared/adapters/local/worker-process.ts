import { hostname } from 'node:os';

/**
 * Whether the process of a worker, named `host:process:slot`, may still be at work. One of this machine is asked for; one
 * of another host may be, and one that has the number of this process was its predecessor.
 */
export function isAtWork(worker: string): boolean {
  const [, host, pid] = /^(.+):(\d+):\d+$/.exec(worker) ?? [];
  if (host !== hostname()) return host !== undefined;
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

import { hostname } from 'node:os';

/**
 * Whether the process of a worker, named `host:process:slot`, may still be running. On this machine the system is
 * asked; on another host it may be; one with this process's number was an earlier process.
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

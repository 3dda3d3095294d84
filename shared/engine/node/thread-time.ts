import { readFileSync } from 'node:fs';

/** Ticks of the clock that Linux counts processor time in, which is the same on all machines. */
const ticksPerSecond = 100;

/**
 * Starts to count the processor time of this thread, in seconds, which does not depend on how busy the machine is.
 * Where neither Node.js nor the system tells it, elapsed time is counted.
 */
export function threadTime(): () => number {
  const now = clock();
  const from = now();
  return () => now() - from;
}

function clock(): () => number {
  // Of newer releases than the oldest that is supported.
  const usage = (process as { threadCpuUsage?: () => { user: number; system: number } }).threadCpuUsage;
  if (usage !== undefined) {
    return () => {
      const { user, system } = usage.call(process);
      return (user + system) / 1_000_000;
    };
  }
  return ticks() === null ? () => performance.now() / 1000 : () => (ticks() ?? 0) / ticksPerSecond;
}

/** Null where the system has no such file. */
function ticks(): number | null {
  try {
    const line = readFileSync('/proc/thread-self/stat', 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return null;
  }
}

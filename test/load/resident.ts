import { readFileSync, readdirSync } from 'node:fs';

interface Process {
  readonly name: string;
  /** Megabytes, its share of what it has in common with others included. */
  readonly resident: number;
  /** Megabytes, all of what it has in common with others included. */
  readonly shared: number;
}

/** A process and all below it, as Linux tells of them; one that ends meanwhile is left out. */
export function processesOf(pid: number): Process[] {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    const name = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim().slice(0, 60);
    const megabytes = (key: string): number =>
      (Number(new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(rollup)?.[1]) * 1024) / 1e6;
    return [{ name, resident: megabytes('Pss'), shared: megabytes('Rss') }, ...childrenOf(pid).flatMap(processesOf)];
  } catch {
    return [];
  }
}

/** Sums over a process and all below it, in megabytes. */
export function residentMb(pid: number): Omit<Process, 'name'> {
  const sum = { resident: 0, shared: 0 };
  for (const { resident, shared } of processesOf(pid)) {
    sum.resident += resident;
    sum.shared += shared;
  }
  return sum;
}

function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  );
}

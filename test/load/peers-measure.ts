import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from './peers.ts';

/** What a whole process took. */
export interface Measure {
  /** Seconds from start to end. */
  readonly wall: number;
  /** Seconds of all cores together; null where GNU time is missing. */
  readonly cpu: number | null;
  /** Bytes resident at most, of the largest process of several; null where GNU time is missing. */
  readonly peak: number | null;
}

const gnuTime = '/usr/bin/time';
const hasGnuTime = existsSync(gnuTime) && spawnSync(gnuTime, ['--version']).status === 0;

/**
 * Runs a program to its end and measures it.
 * @param scratch folder for what it prints where that is wanted nowhere else, and for the figures.
 * @throws when it cannot be started or fails.
 */
export function measure({ command, cwd, printed }: Invocation, scratch: string): Measure {
  const figures = join(scratch, 'figures');
  const [program = '', ...rest] = hasGnuTime ? [gnuTime, '-f', '%U %S %M', '-o', figures, ...command] : command;
  const out = openSync(printed ?? join(scratch, 'printed'), 'w');
  const started = performance.now();
  const done = spawnSync(program, rest, { cwd, stdio: ['ignore', out, 'pipe'], encoding: 'utf8', maxBuffer: 2 ** 28 });
  const wall = (performance.now() - started) / 1000;
  closeSync(out);
  if (done.error !== undefined) throw done.error;
  if (done.status !== 0) throw new Error(`${command.join(' ')} failed: ${done.stderr.slice(-2000)}`);
  const [user = 0, system = 0, peak = 0] = hasGnuTime ? readFileSync(figures, 'utf8').split(' ').map(Number) : [];
  return hasGnuTime ? { wall, cpu: user + system, peak: peak * 1024 } : { wall, cpu: null, peak: null };
}

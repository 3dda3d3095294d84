import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { workBehindOthers } from '../local/behind-others.ts';

// Tells its priority before and after it steps back, and that of a thread that it starts then.
function nice(): number {
  const stat = readFileSync('/proc/thread-self/stat', 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}

if (isMainThread || !parentPort) throw new Error('priority-thread runs as a worker thread only');
const port = parentPort;
if (workerData === 'below') {
  port.postMessage(nice());
} else {
  const before = nice();
  workBehindOthers();
  const after = nice();
  const below = new Worker(new URL(import.meta.url), { workerData: 'below' });
  below.once('message', (value: number) => port.postMessage({ before, after, below: value }));
}

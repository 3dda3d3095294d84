// Lets what a build has started end with the build: a signal would leave it running by itself.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const programs = new Set();

/** Does the work; ends its programs, and what `stop` ends, when it is over and when a signal ends this process. */
export async function withEnding(work, stop) {
  const end = async (signal) => {
    for (const program of programs) program.kill(signal);
    await stop();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, end);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, end);
    await stop();
  }
}

/** Runs a program of the build to its end; rejects when it fails. */
export function runInBuild(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const program = spawn(command, args, { stdio: ['ignore', 2, 2], ...options });
    programs.add(program);
    program.once('error', reject);
    program.once('exit', (code, signal) => {
      programs.delete(program);
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with ${signal ?? code}`));
    });
  });
}

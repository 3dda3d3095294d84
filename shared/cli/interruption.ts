/** Signals by which a user or a system ends a program, and what it then exits with. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const;

/** The wish to end early, seen from now on until `close`. */
export interface Interruption {
  /** Aborted by the first signal; a second one ends the program at once. */
  readonly signal: AbortSignal;
  /** What to exit with; undefined when nothing came. */
  readonly exitCode: () => number | undefined;
  close(): void;
}

export function watchInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const listener = (name: keyof typeof signals): void => {
    if (exitCode !== undefined) process.exit(exitCode);
    exitCode = signals[name];
    controller.abort();
  };
  const names = Object.keys(signals) as (keyof typeof signals)[];
  for (const name of names) process.on(name, listener);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    close: () => names.forEach((name) => process.off(name, listener)),
  };
}

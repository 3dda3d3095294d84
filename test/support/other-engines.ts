import type { ExternalEngine } from '@svc/domain';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe } from 'vitest';

/** Variables that hold the command of each engine, words separated by blanks, and its own folder; as of `bench:peers`. */
const engines: Readonly<Record<ExternalEngine, { variable: string; programs: readonly string[]; landmark: string }>> = {
  'evtx-timeline': { variable: 'HAYABUSA', programs: ['hayabusa'], landmark: 'rules/config' },
  'evtx-hunt': { variable: 'CHAINSAW', programs: ['chainsaw'], landmark: 'mappings' },
  'sigma-multi': { variable: 'ZIRCOLITE', programs: ['zircolite', 'zircolite.py'], landmark: 'config/config.yaml' },
  'sigma-text': { variable: 'CHOPCHOPGO', programs: ['ChopChopGo', 'chopchopgo'], landmark: 'mappings/syslog.yml' },
};

export interface OtherEngine {
  /** The program, and what comes before its arguments. */
  readonly command: readonly string[];
  readonly home: string;
}

/** An engine of others on this machine; null where there is none. */
export function otherEngine(name: ExternalEngine): OtherEngine | null {
  const { variable, programs, landmark } = engines[name];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = folders.flatMap((folder) => programs.map((program) => join(folder, program))).find(existsSync);
  const command = process.env[variable]?.split(' ').filter(Boolean) ?? (onPath === undefined ? [] : [onPath]);
  const last = command.at(-1);
  if (last === undefined || !existsSync(last)) return null;
  const given = process.env[`${variable}_HOME`];
  for (let folder = given ?? dirname(last); ; folder = dirname(folder)) {
    if (existsSync(join(folder, landmark))) return { command, home: folder };
    if (folder === dirname(folder)) return null;
  }
}

/** One program for the command, beside links to what the engine brings along, as `tool_path` wants it. */
export function programOf({ command, home }: OtherEngine, folder: string): string {
  for (const name of readdirSync(home)) symlinkSync(join(home, name), join(folder, name));
  const program = join(folder, 'run-engine');
  const words = command.map((word) => `'${word}'`).join(' ');
  writeFileSync(program, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return program;
}

/** A suite with an engine of others: skipped with one line where it is not on this machine. */
export function describeWithEngine(name: ExternalEngine, title: string, suite: (engine: OtherEngine) => void): void {
  const engine = otherEngine(name);
  if (engine !== null) {
    describe(title, () => suite(engine));
    return;
  }
  console.warn(`skipped: ${title}: no ${engines[name].programs[0]} on the PATH, and none in ${engines[name].variable}`);
  // oxlint-disable-next-line vitest/no-disabled-tests -- a machine without the program says so and goes on
  describe.skip(title, () => undefined);
}

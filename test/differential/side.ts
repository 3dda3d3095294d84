import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Invocation, type Peer } from '../load/peers.ts';
import { measure } from '../load/peers-measure.ts';
import type { Cause } from './causes.ts';
import type { Seen } from './ours.ts';
import type { Pairs } from './pairs.ts';

/** Where things lie for one run. */
export interface Places {
  /** Folder of the logs. */
  readonly logs: string;
  /** The Sigma rules for Windows, and those of process creation alone. */
  readonly rules: string;
  readonly processRules: string;
  /** Folder for what the programs write. */
  readonly output: string;
  /** Take what an earlier run left there. */
  readonly reuse: boolean;
}

/** What another program found, and how it reads rules and records. */
export interface Side {
  readonly name: string;
  readonly pairs: Pairs;
  /** Why the program never holds the rule, or another, against such a record; null when it does. */
  readonly missing: (seen: Seen) => Cause | null;
  /** Ways in which it differs, the more general ones last. */
  readonly causes: readonly Cause[];
}

/** Runs a program into a file of that name unless its output is to be reused; returns the file's path. */
export function outputOf(places: Places, peer: Peer, invocation: (output: string) => Invocation): string {
  mkdirSync(places.output, { recursive: true });
  const output = join(places.output, peer.name);
  if (!places.reuse) measure(invocation(output), places.output);
  return output;
}

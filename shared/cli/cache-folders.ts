import type { RuleCache } from '@svc/engine/node';
import { homedir } from 'node:os';
import { join } from 'node:path';

declare global {
  /** What the program was built from; put in its place by the build. */
  var svcBuild: string | undefined;
}

const nothingKept = 'off';

/**
 * Where compiled rules are kept: the folder that `SVC_RULE_CACHE` names, or one in the user's cache folder.
 * Undefined where it says `off`, and for a program run from its sources, which change under it: of such, whoever names
 * a folder answers for what is in it, as tests do with one of their own.
 */
export function ruleCache(environment: NodeJS.ProcessEnv, platform = process.platform): RuleCache | undefined {
  const { SVC_RULE_CACHE: wanted = '' } = environment;
  const engine = globalThis.svcBuild ?? (wanted && 'sources');
  if (wanted === nothingKept || engine === '') return undefined;
  return { folder: wanted || join(userFolder(environment, platform), 'rules'), engine };
}

/** Where the program's own compiled code is kept: in the user's cache folder only, as whoever writes there decides what runs. */
export function codeFolder(environment: NodeJS.ProcessEnv, platform = process.platform): string | undefined {
  if (environment.SVC_RULE_CACHE === nothingKept || globalThis.svcBuild === undefined) return undefined;
  return join(userFolder(environment, platform), 'code');
}

function userFolder(
  { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '' }: NodeJS.ProcessEnv,
  platform: string,
): string {
  return join((platform === 'win32' ? local : xdg) || join(homedir(), '.cache'), 'svc');
}

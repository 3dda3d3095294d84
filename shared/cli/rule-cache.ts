import type { RuleCache } from '@svc/engine/node';
import { homedir } from 'node:os';
import { join } from 'node:path';

declare global {
  /** What the program was built from; put in its place by the build. */
  var svcBuild: string | undefined;
}

/**
 * Where compiled rules are kept: the folder that `SVC_RULE_CACHE` names, or one in the user's cache folder.
 * Undefined where it says `off`, and for a program run from its sources, which change under it.
 */
export function ruleCache(environment: NodeJS.ProcessEnv, platform = process.platform): RuleCache | undefined {
  const { SVC_RULE_CACHE: wanted = '', XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '' } = environment;
  const engine = globalThis.svcBuild;
  if (wanted === 'off' || engine === undefined) return undefined;
  const caches = platform === 'win32' ? local : xdg;
  return { folder: wanted || join(caches || join(homedir(), '.cache'), 'svc', 'rules'), engine };
}

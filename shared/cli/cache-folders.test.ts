import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { codeFolder, ruleCache } from './cache-folders.ts';

afterEach(() => {
  globalThis.svcBuild = undefined;
});

const usual = join(homedir(), '.cache', 'svc', 'rules');

it.each([
  [{}, 'linux', usual],
  [{ XDG_CACHE_HOME: '/x' }, 'linux', join('/x', 'svc', 'rules')],
  [{ XDG_CACHE_HOME: '/x', LOCALAPPDATA: 'C:\\l' }, 'win32', join('C:\\l', 'svc', 'rules')],
  [{ XDG_CACHE_HOME: '' }, 'darwin', usual],
  [{ SVC_RULE_CACHE: '/own', XDG_CACHE_HOME: '/x' }, 'linux', '/own'],
  [{ SVC_RULE_CACHE: 'off' }, 'linux', undefined],
] as const)('with %j on %s compiled rules are kept in %s', (environment, platform, folder) => {
  globalThis.svcBuild = 'b1';
  expect(ruleCache(environment, platform)?.folder).toBe(folder);
});

it('a program run from its sources keeps none, unless it is told where', () => {
  expect(ruleCache({})).toBeUndefined();
  expect(ruleCache({ SVC_RULE_CACHE: 'off' })).toBeUndefined();
  expect(ruleCache({ SVC_RULE_CACHE: '/own' })).toEqual({ folder: '/own', engine: 'sources' });
});

it('its own compiled code is kept where nobody else writes, or nowhere', () => {
  expect(codeFolder({ XDG_CACHE_HOME: '/x' }, 'linux')).toBeUndefined();
  globalThis.svcBuild = 'b1';
  expect(codeFolder({ XDG_CACHE_HOME: '/x', SVC_RULE_CACHE: '/shared' }, 'linux')).toBe(join('/x', 'svc', 'code'));
  expect(codeFolder({ SVC_RULE_CACHE: 'off' }, 'linux')).toBeUndefined();
});

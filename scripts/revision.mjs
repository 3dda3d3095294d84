// The state of the sources: their commit, when it was made, and whether files differ from it.
import { spawnSync } from 'node:child_process';
import { fail, root } from './install.mjs';

export function revision() {
  const commit = git('rev-parse', 'HEAD');
  const time = new Date(git('log', '-1', '--format=%cI')).toISOString();
  return { commit, time, isChanged: git('status', '--porcelain') !== '' };
}

function git(...args) {
  const done = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (done.status !== 0) fail(`This needs git and a clone of the repository: ${done.stderr ?? done.error?.message}`);
  return done.stdout.trim();
}

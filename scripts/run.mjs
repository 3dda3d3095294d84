// Runs a command of the table in commands.mjs: installs what is missing, builds what changed, starts it.
//   node scripts/run.mjs NAME [arguments of the command]     without a name: which there are
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commands } from './commands.mjs';
import { ensureInstalled, fail, root, run } from './install.mjs';

const name = process.argv[2];
if (name === undefined || !Object.hasOwn(commands, name)) {
  const list = Object.entries(commands).map(([one, { says }]) => `  ${one.padEnd(20)}${says}`);
  fail(`${name === undefined ? 'Name a command' : `There is no command ${name}`}:\n${list.join('\n')}`);
}
const command = commands[name];
const args = process.argv.slice(3);

// What has a help of its own is left to say it.
if (args.includes('--help') && command.module === undefined) {
  process.stdout.write(`npm run ${name}: ${command.says}\n`);
  process.exit();
}
if (command.commands === undefined) {
  await prepare(command);
  await start(command);
} else {
  for (const one of command.commands) run(process.execPath, [join(root, 'scripts/run.mjs'), one]);
}

async function prepare({ installs = [], builds = [], programs = [], mustFind = false, env = {} }) {
  for (const folder of ['.', ...installs]) ensureInstalled(folder);
  // What these two import has been installed only now.
  if (builds.length > 0) await (await import('./build.mjs')).ensureBuilt(...builds);
  const found = programs.length > 0 ? await (await import('./programs.mjs')).programsFor(programs) : {};
  const missing = Object.entries(found).filter(([variable]) => variable.startsWith('SKIP_'));
  if (mustFind && missing.length > 0) fail(missing.map(([, why]) => why).join('\n'));
  Object.assign(process.env, { ...env, ...process.env, ...found });
}

async function start({ module, script, bundle, beside }) {
  if (bundle !== undefined) {
    const { bundleProgram } = await import('./bundled.mjs');
    return run(process.execPath, [await bundleProgram(bundle, beside), ...args]);
  }
  const path = join(root, module ?? `scripts/${script}`);
  // It finds its arguments where it would as a program of its own.
  process.argv.splice(1, 2, path);
  return import(pathToFileURL(path).href);
}

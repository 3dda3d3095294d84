// Writes the tables of the documents that follow the code: the operations of docs/api.md and the
// settings of docs/configuration.md.   node scripts/docs.mjs [--check]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { fail, root, tool } from './install.mjs';

/** A TypeScript module of the repository, loaded by way of a bundle. */
async function load(path) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const { operations } = await load('shared/contracts/index.ts');
const { meaningOf } = await load('shared/contracts/refusals.ts');
const { statusOf } = await load('shared/domain/index.ts');
const { containerSettings, describeEnvironment } = await load('config/index.ts');

const documents = {
  'docs/api.md': {
    operations: table(
      ['operation', 'request', 'who', 'answers', 'refusals of its own'],
      Object.entries(operations).map(([name, { method, path, access, success, errors, summary }]) => [
        `\`${name}\``,
        `\`${method} ${path}\` ${summary}`,
        access,
        success.join(', '),
        errors.map((code) => `\`${code}\``).join(' '),
      ]),
    ),
    codes: table(
      ['code', 'status', 'meaning'],
      Object.entries(meaningOf).map(([code, meaning]) => [`\`${code}\``, statusOf[code], meaning]),
    ),
  },
  'docs/configuration.md': {
    settings: table(
      ['setting', 'default', 'meaning'],
      describeEnvironment().map(({ name, fallback, description }) => [
        `\`${name}\``,
        fallback === null ? 'unset' : `\`${fallback}\``,
        description,
      ]),
    ),
    containers: table(
      ['setting', 'what it is for', 'self-hosted', 'on AWS'],
      containerSettings.map(({ names, purpose, selfHosted, aws }) => [
        names.map((name) => `\`${name}\``).join(' '),
        purpose,
        selfHosted,
        aws,
      ]),
    ),
  },
};

for (const [path, tables] of Object.entries(documents)) {
  const before = readFileSync(join(root, path), 'utf8');
  let after = before;
  for (const [name, text] of Object.entries(tables)) {
    const marks = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = marks.map((mark) => after.indexOf(mark));
    if (start < 0 || end < start) fail(`${path} has no marks for ${name}`);
    after = `${after.slice(0, start + marks[0].length)}\n\n${text}\n\n${after.slice(end)}`;
  }
  after = execFileSync(tool('oxfmt'), [`--stdin-filepath=${path}`], { cwd: root, input: after, encoding: 'utf8' });
  if (after === before) continue;
  if (process.argv.includes('--check')) fail(`${path} does not follow the code: run node scripts/docs.mjs`);
  writeFileSync(join(root, path), after);
}

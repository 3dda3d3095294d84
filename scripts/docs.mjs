// Writes the tables of the documents that follow the code: the operations of docs/api.md and the
// settings of docs/configuration.md and docs/aws.md.   node scripts/docs.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTables } from './document-tables.mjs';
import { fail, root } from './install.mjs';
import { loadModule as load } from './bundled.mjs';

const table = (head, rows) => ({ head, rows });

function settingsTable(settings) {
  const rows = settings.map(({ name, fallback, description }) => [
    `\`${name}\``,
    fallback === null ? 'unset' : `\`${fallback}\``,
    description,
  ]);
  return table(['setting', 'default', 'meaning'], rows);
}

const { operations } = await load('shared/contracts/index.ts');
const { meaningOf } = await load('shared/contracts/refusals.ts');
const { statusOf } = await load('shared/domain/index.ts');
const { containerSettings, describeEnvironment } = await load('config/index.ts');
const { describeContext } = await load('infra/settings.ts');

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
  'docs/aws.md': { context: settingsTable(describeContext()) },
  'docs/configuration.md': {
    settings: settingsTable(describeEnvironment()),
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
  const after = withTables(path, tables);
  if (after === readFileSync(join(root, path), 'utf8')) continue;
  if (process.argv.includes('--check')) fail(`${path} does not follow the code: run node scripts/docs.mjs`);
  writeFileSync(join(root, path), after);
}

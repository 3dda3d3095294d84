// npm run cost -- [--megabytes N] [--heavy-megabytes N] [--heavy-share N] [--keep-days N] [--write]: what the service
// costs on AWS, idle and in use, from the templates that the CDK makes of infra/. --write brings the tables of
// docs/aws.md and docs/scaling.md up to date.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withTables } from './document-tables.mjs';
import { ensureInstalled, fail, root } from './install.mjs';
import { loadModule } from './bundled.mjs';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string' },
    'heavy-megabytes': { type: 'string' },
    'heavy-share': { type: 'string' },
    'keep-days': { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

ensureInstalled();
const { costReport, documentTables, usual } = await loadModule('infra/cost/report.ts');

/** The templates of a size, by part, as the CDK makes them. */
function synthesise(size) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-cost-'));
  try {
    const options = ['synth', '--quiet', '--output', folder, '--context', `size=${size}`];
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/run.mjs'), 'cdk', ...options], {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (status !== 0) fail(stderr);
    const templates = readdirSync(folder).filter((name) => name.endsWith('.template.json'));
    return Object.fromEntries(
      templates.map((name) => [
        name.replace(/^.*?-|\.template\.json$/g, ''),
        JSON.parse(readFileSync(join(folder, name), 'utf8')),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A number of the command line, or what is usual. */
function number(name, fallback) {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  if (!(value >= 0)) fail(`--${name} must be a number`);
  return value;
}

const workload = {
  fastMb: number('megabytes', usual.fastMb),
  heavyMb: number('heavy-megabytes', usual.heavyMb),
  heavyShare: number('heavy-share', usual.heavyShare),
  uploadRetentionDays: number('keep-days', usual.uploadRetentionDays),
};
const templates = { small: synthesise('small'), ha: synthesise('ha') };
process.stdout.write(`${costReport(templates, workload)}\n`);
if (values.write) {
  for (const [path, tables] of Object.entries(documentTables(templates))) {
    writeFileSync(join(root, path), withTables(path, tables));
  }
}

// npm run audit: known vulnerabilities of all that the lock files name, by npm's registry and by OSV. Fails on what
// is high or critical; whoever cannot be asked is named: no answer is not a pass.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

const folders = ['.', 'infra', 'tools'];
const osv = process.env.OSV_URL ?? 'https://api.osv.dev';
const grave = new Set(['high', 'critical']);
const patienceMs = 30_000;

/** What npm's registry says of a folder: `{ id, name, severity, title }` each. */
function askNpm(folder) {
  const args = ['audit', '--json', '--fetch-retries=1', `--fetch-timeout=${patienceMs}`];
  const options = { cwd: join(root, folder), encoding: 'utf8', shell: process.platform === 'win32' };
  const npm = process.env.npm_execpath;
  const done = npm ? spawnSync(process.execPath, [npm, ...args], options) : spawnSync('npm', args, options);
  const answer = JSON.parse(done.stdout || '{}');
  if (!answer.vulnerabilities) throw new Error(answer.message ?? answer.error?.summary ?? 'no answer');
  const advisories = Object.values(answer.vulnerabilities).flatMap(({ via }) => via.filter((each) => each.url));
  return advisories.map(({ url, name, severity, title }) => ({ id: url.split('/').at(-1), name, severity, title }));
}

/** Names and versions in the lock file of a folder. */
function lockedIn(folder) {
  const { packages } = JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .map(([place, { name, version }]) => ({ name: name ?? place.replace(/^.*node_modules\//, ''), version }));
}

async function fetchJson(path, body) {
  const how = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await fetch(`${osv}${path}`, { ...how, signal: AbortSignal.timeout(patienceMs) });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
}

/** What OSV says, which knows malicious packages, too. */
async function askOsv() {
  const all = folders.flatMap(lockedIn).map(({ name, version }) => `${name}@${version}`);
  const packages = [...new Set(all)].map((each) => each.match(/^(.+)@([^@]+)$/).slice(1));
  const found = [];
  for (let at = 0; at < packages.length; at += 500) {
    const part = packages.slice(at, at + 500);
    const queries = part.map(([name, version]) => ({ package: { name, ecosystem: 'npm' }, version }));
    const { results } = await fetchJson('/v1/querybatch', { queries });
    if (results?.length !== part.length) throw new Error('an answer to something else');
    for (const [index, { vulns = [] }] of results.entries()) {
      for (const { id } of vulns) {
        const {
          summary,
          aliases = [],
          database_specific: more,
        } = await fetchJson(`/v1/vulns/${encodeURIComponent(id)}`);
        // OSV says moderate as npm does; what is malicious, or of unknown weight, is not waved through.
        const severity = (more?.severity ?? 'critical').toLowerCase();
        found.push({ id, aliases, name: part[index][0], severity, title: summary ?? 'no summary' });
      }
    }
  }
  return found;
}

const { ignored } = JSON.parse(
  readFileSync(process.env.AUDIT_IGNORED ?? join(root, 'scripts/audit-ignored.json'), 'utf8'),
);
const today = new Date().toISOString().slice(0, 10);
let isBad = false;
const say = (line) => process.stdout.write(`${line}\n`);

for (const { id, reason, until } of ignored) {
  if (reason && /^\d{4}-\d\d-\d\d$/.test(until ?? '') && until >= today) continue;
  isBad = true;
  say(`${id} is ignored without a reason, or until a day that has passed (${until}): look at it again.`);
}

/** Asks one of them, and says what came of it. */
async function report(who, ask) {
  try {
    const found = await ask();
    const kept = found.filter(({ id, aliases = [] }) => !ignored.some((each) => [id, ...aliases].includes(each.id)));
    const counted = kept.length === found.length ? '' : `, ${found.length - kept.length} ignored`;
    say(`${who}: ${kept.length} known vulnerabilities${counted}`);
    for (const { id, name, severity, title } of kept) say(`  ${severity}: ${name}: ${title} (${id})`);
    isBad ||= kept.some(({ severity }) => grave.has(severity));
  } catch (error) {
    say(`${who}: could not ask, so nothing is known: ${error.cause?.message ?? error.message}`);
  }
}

for (const folder of folders) await report(`npm${folder === '.' ? '' : ` (${folder})`}`, () => askNpm(folder));
await report('OSV', askOsv);
process.exit(isBad ? 1 : 0);

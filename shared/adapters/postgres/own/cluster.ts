import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { CannotRun, program, programEnvironment, type Programs } from './programs.ts';

/** For the classes of characters, the first that the system has; texts are compared by code points with either. */
const locales = ['C.UTF-8', 'C'];

/** Makes an empty cluster. Throws {@link CannotRun} where not even that works. */
export async function makeCluster(programs: Programs, folder: string, password: string | null): Promise<void> {
  const { identity } = programs;
  const passwordFile = `${folder}.password`;
  const args = ['--pgdata', folder, '--username=svc', '--auth-local=trust', '--auth-host=scram-sha-256'];
  // One call instead of a thousand, where the system has it.
  const sync = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
  const text = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  let failure: unknown = null;
  try {
    if (password !== null) await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (password !== null && identity) await chown(passwordFile, identity.uid, identity.gid);
    const secret = password === null ? [] : [`--pwfile=${passwordFile}`];
    for (const locale of locales) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      await chmod(folder, 0o700);
      if (identity) await chown(folder, identity.uid, identity.gid);
      const options = { ...identity, cwd: '/', env: programEnvironment() };
      const all = [...args, ...sync, ...text, `--lc-ctype=${locale}`, ...secret];
      failure = await promisify(execFile)(program(programs, 'initdb'), all, options).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure === null) return;
    }
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rm(folder, { recursive: true, force: true });
  const { stderr, message } = failure as { stderr?: string; message: string };
  throw new CannotRun(`initdb made no database (${(stderr ?? '').trim() || message})`);
}

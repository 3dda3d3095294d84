import { build, type Plugin } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Initialised {
  /** Settings that the program asked for while it initialised. */
  readonly read: ReadonlySet<string>;
  /** What it had to say; empty where all is well. */
  readonly complaint: string;
}

/** Has each setting that is asked for noted, by the one function that reads them. */
const noting: Plugin = {
  name: 'noting',
  setup: (building) => {
    building.onLoad({ filter: /config\/env\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      resolveDir: join(root, 'config'),
      contents: `${readFileSync(path, 'utf8').replace('export function readEnvironment(', 'function readAll(')}
        export const readEnvironment: typeof readAll = (source) => new Proxy(readAll(source), {
          get: (all, name) => ((globalThis as any).settingsRead.add(name), (all as any)[name]),
        });`,
    }));
  },
};

/** Programs, bundled by their names, that can be initialised one by one; `remove` takes them away again. */
export async function bundled(entries: Readonly<Record<string, string>>) {
  // Within the project: programs look for its files above themselves.
  const folder = mkdtempSync(join(root, 'node_modules/.bundled-'));
  await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Loaded from where they are installed, as they bring files of their own.
    external: ['@electric-sql/pglite', '@electric-sql/pglite/*', '@node-rs/argon2', 'pino'],
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
    },
    plugins: [noting],
    logLevel: 'silent',
  });
  return {
    initialised: (name: string, environment: Readonly<Record<string, string>>) =>
      initialised(folder, name, environment),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** In a process that has these variables and no others, as Lambda and ECS do before the first event. */
function initialised(folder: string, name: string, environment: Readonly<Record<string, string>>): Initialised {
  const main = join(folder, 'main.mjs');
  writeFileSync(
    main,
    `globalThis.settingsRead = new Set();
     await import('./${name}.mjs');
     process.stdout.write(JSON.stringify([...settingsRead]), () => process.exit(0));`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  if (status !== 0) return { read: new Set(), complaint: `exit code ${status}: ${stderr}` };
  return { read: new Set(JSON.parse(stdout) as string[]), complaint: stderr };
}

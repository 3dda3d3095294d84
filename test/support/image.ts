import { cp, chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** What a Dockerfile says of the image that it ends with. */
export interface Image {
  readonly user: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  /** Paths of the repository, or of what the stage of the packages has installed. */
  readonly copies: readonly { readonly from: string | null; readonly source: string; readonly target: string }[];
  /** What the stage of the packages takes of the repository. */
  readonly packageSources: readonly string[];
}

/** Reads `containers/<name>/Dockerfile`. */
export async function readImage(name: 'gateway' | 'worker'): Promise<Image> {
  const text = await readFile(join(repository, `containers/${name}/Dockerfile`), 'utf8');
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('FROM '));
  const own = lines.slice(last);
  const argumentOf = (word: string): string =>
    own.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? '';
  const listOf = (json: string): string[] => JSON.parse(json) as string[];
  const copied = (from: readonly string[]): string[][] =>
    from.filter((line) => line.startsWith('COPY ')).map((line) => line.split(/\s+/).slice(1));
  return {
    user: argumentOf('USER'),
    variables: Object.fromEntries(
      [...argumentOf('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, key, value]) => [key!, value!]),
    ),
    volumes: listOf(argumentOf('VOLUME')),
    command: listOf(argumentOf('CMD')),
    healthCheck: listOf(argumentOf('HEALTHCHECK').replace(/^.*? CMD /, '')),
    copies: copied(own).map((words) => {
      const [option, ...paths] = words[0]!.startsWith('--from=') ? words : ['', ...words];
      return { from: option!.replace('--from=', '') || null, source: paths[0]!, target: paths[1]! };
    }),
    packageSources: copied(lines.slice(0, last)).flatMap((words) => words.slice(0, -1)),
  };
}

/** Lays out what the image would hold below a folder, for nobody to write to. */
export async function layOut(image: Image, folder: string): Promise<void> {
  for (const { from, source, target } of image.copies) {
    const to = join(folder, target.endsWith('/') ? join(target, source) : target);
    await mkdir(dirname(to), { recursive: true });
    if (from === null)
      await cp(join(repository, source), to, { recursive: true, filter: (path) => !path.endsWith('.ts') });
    else await layOutPackages(to);
  }
  await forbidWriting(folder);
}

/** The packages of dist/images, as they are installed here. */
async function layOutPackages(to: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(repository, 'dist/images/package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, unknown>>;
  };
  for (const path of Object.keys(packages).filter((one) => one !== '')) {
    // Builds for other machines are not installed.
    await cp(join(repository, path), join(dirname(to), path), { recursive: true }).catch(() => undefined);
  }
}

async function forbidWriting(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o555 : 0o444);
  }
  await chmod(folder, 0o555);
}

import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, parse, sep } from 'node:path';
import { asFileError, FileError } from '../file-error.ts';
import { hasWildcard, nameMatcher } from './glob.ts';

/** A file to analyse. */
export interface Input {
  /** Where it lies. */
  readonly path: string;
  /** As it is called in reports. */
  readonly name: string;
  readonly bytes: number;
  /** In milliseconds since 1970. */
  readonly modified: number;
  /** Named by the user; others were found in a folder or by a pattern, where what is no log is passed over. */
  readonly isNamed: boolean;
}

export interface FoundInputs {
  /** In the order of the arguments, and of names below each. */
  readonly inputs: readonly Input[];
  /** What could not be looked at. */
  readonly failures: readonly FileError[];
  /** Whether the arguments may stand for several files, so that reports on them are a list. */
  readonly isList: boolean;
}

/** The argument, and the name in reports, of standard input. */
export const standardInput = '-';

/**
 * The files that arguments stand for: files, all below folders, all that patterns match, and what
 * `spool` makes of standard input.
 */
export async function findInputs(paths: readonly string[], spool: () => Promise<Input>): Promise<FoundInputs> {
  const inputs: Input[] = [];
  const failures: FileError[] = [];
  let isList = paths.length > 1;
  for (const path of paths) {
    try {
      if (path === standardInput) {
        inputs.push(await spool());
        continue;
      }
      const entry = await stat(path).catch(() => undefined);
      if (entry === undefined ? hasWildcard(path) : entry.isDirectory()) isList = true;
      inputs.push(...(await inputsOf(path, entry, failures)));
    } catch (error) {
      const failure = asFileError(path, error);
      if (!(failure instanceof FileError)) throw failure;
      failures.push(failure);
    }
  }
  return { inputs, failures, isList };
}

async function inputsOf(path: string, entry: Stats | undefined, failures: FileError[]): Promise<Input[]> {
  if (entry?.isDirectory()) {
    const before = failures.length;
    const inputs = await filesBelow(path, failures);
    if (inputs.length === 0 && failures.length === before) throw new FileError(`${path}: there is no file in it`);
    return inputs;
  }
  if (entry?.isFile()) return [inputAt(path, entry, true)];
  if (entry !== undefined) throw new FileError(`${path}: it is no ordinary file`);
  if (!hasWildcard(path)) throw new FileError(`${path}: there is no such file`);
  const inputs = await expand(path, failures);
  if (inputs.length === 0) throw new FileError(`${path}: no file matches`);
  return inputs;
}

function inputAt(path: string, { size, mtimeMs }: Stats, isNamed: boolean): Input {
  return { path, name: path, bytes: size, modified: Math.trunc(mtimeMs), isNamed };
}

async function filesBelow(folder: string, failures: FileError[]): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const entry of await entriesOf(folder, failures)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) inputs.push(...(await filesBelow(path, failures)));
    else inputs.push(...(await fileAt(path)));
  }
  return inputs;
}

/** Links to files are followed, those to folders are not: they may lead in circles. */
async function fileAt(path: string): Promise<Input[]> {
  const entry = await stat(path).catch(() => undefined);
  return entry?.isFile() ? [inputAt(path, entry, false)] : [];
}

async function entriesOf(folder: string, failures: FileError[]): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    const failure = asFileError(folder, error);
    if (!(failure instanceof FileError)) throw failure;
    failures.push(failure);
    return [];
  }
}

/** Shells that do not expand patterns, as those of Windows, leave it to the program. */
async function expand(pattern: string, failures: FileError[]): Promise<Input[]> {
  const { root } = parse(pattern);
  const parts = pattern.slice(root.length).split(sep === '\\' ? /[\\/]+/ : /\/+/);
  const found = await expandIn(isAbsolute(pattern) ? root : '', parts, failures);
  return [...new Map(found.map((input) => [input.path, input])).values()];
}

async function expandIn(folder: string, parts: readonly string[], failures: FileError[]): Promise<Input[]> {
  const [part = '', ...rest] = parts;
  if (part === '**') return expandBelow(folder, rest, failures);
  const names = hasWildcard(part) ? await matchingNames(folder, part, failures) : [part];
  const found: Input[] = [];
  for (const name of names) {
    const path = join(folder, name);
    if (!(await isFolder(path))) found.push(...(rest.length > 0 ? [] : await fileAt(path)));
    else if (rest.length > 0) found.push(...(await expandIn(path, rest, failures)));
    else found.push(...(await filesBelow(path, failures)));
  }
  return found;
}

/** What a pattern matches in a folder and in all below it. */
async function expandBelow(folder: string, rest: readonly string[], failures: FileError[]): Promise<Input[]> {
  if (rest.length === 0) return filesBelow(folder || '.', failures);
  const found = await expandIn(folder, rest, failures);
  for (const entry of await entriesOf(folder || '.', failures)) {
    if (entry.isDirectory()) found.push(...(await expandBelow(join(folder, entry.name), rest, failures)));
  }
  return found;
}

async function matchingNames(folder: string, pattern: string, failures: FileError[]): Promise<string[]> {
  const matches = nameMatcher(pattern);
  return (await entriesOf(folder || '.', failures)).map(({ name }) => name).filter(matches);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

import type { ReadyRules } from '@svc/application/ports/detection-engine.ts';
import { RulePackRefused, type PackPart, type RuleCompiler } from '@svc/application/ports/rule-compiler.ts';
import { unpackRules } from '@svc/engine';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isThere } from './is-there.ts';

export interface BundleOptions {
  /** Where what is made of packs is kept, by their digest. */
  readonly folder: string;
  readonly compiler: Pick<RuleCompiler, 'read' | 'compile' | 'combine'>;
}

/** What a bundle holds. */
export interface BundleFilter {
  readonly product: 'windows' | 'linux';
  readonly category?: string;
}

const noFilters = { minLevel: null, statuses: [], logSources: [], tags: [], include: [], exclude: [] };
/** Sets of packs whose bundles are kept, those used last. */
const keptSets = 8;
/** Sets of folders whose rules stay compiled. */
const keptLookups = 4;

/** Rule packs in the forms that other engines read, and the rules of folders in the form that this one looks them up in. */
export class RuleBundles {
  readonly #options: BundleOptions;
  /** Compiled rules of folders, by what those hold; null for one that holds no Sigma rules. */
  readonly #folders = new Map<string, Promise<Uint8Array | null>>();
  readonly #lookups = new Map<string, Promise<ReadyRules>>();

  constructor(options: BundleOptions) {
    this.#options = options;
  }

  /** The packs’ rules for a product as a folder of Sigma files. */
  async tree(packs: ReadyRules, { product, category }: BundleFilter): Promise<string> {
    const name = category === undefined ? product : `${product}-${category}`;
    return this.#kept(packs, name, async (path) => {
      await mkdir(path);
      const { rules } = unpackRules(await packs.load());
      for (const [place, { logSource, source, path: from }] of rules.entries()) {
        if (logSource.product !== undefined && logSource.product !== product) continue;
        if (category !== undefined && logSource.category !== category) continue;
        const file = basename(from)
          .replace(/(?:\.ya?ml)?$/, '.yml')
          .replaceAll(/[^\w.-]/g, '_');
        await writeFile(join(path, `${place}-${file}`), source);
      }
    });
  }

  /** What `make` writes to the path that it is given, made once for the same rules. */
  converted(packs: ReadyRules, name: string, make: (path: string) => Promise<void>): Promise<string> {
    return this.#kept(packs, name, make);
  }

  /**
   * What findings of an engine are looked up in: the rules of its folders, and behind them those of the packs. A folder
   * that holds no Sigma rules, as one of converted rules, is passed over.
   */
  async lookup(paths: readonly string[], packs: ReadyRules | null): Promise<ReadyRules> {
    if (paths.length === 0 && packs !== null) return packs;
    const contents = await Promise.all(paths.map((path) => this.#read(path)));
    const found = contents.filter((content) => content !== null);
    const digest = digestOf([...found.map((content) => content.digest), packs?.digest ?? '']);
    return remembered(this.#lookups, keptLookups, digest, async () => {
      const own = await Promise.all(found.map((content) => this.#compiled(content)));
      const parts = [...own.filter((bytes) => bytes !== null), ...(packs === null ? [] : [await packs.load()])].map(
        (artifact): PackPart => ({ artifact, overrides: [] }),
      );
      const { artifact } = await this.#options.compiler.combine(parts, noFilters);
      const name = paths.map((path) => basename(path)).join(' + ');
      const ruleSet = { name, version: '', loaded: unpackRules(artifact).rules.length, rejected: 0, packs: [] };
      return { digest, ruleSet, load: async () => artifact };
    });
  }

  async #read(path: string): Promise<{ readonly digest: string; readonly files: Uint8Array } | null> {
    try {
      return await this.#options.compiler.read(path);
    } catch (error) {
      if (error instanceof RulePackRefused) return null;
      throw error;
    }
  }

  #compiled({ digest, files }: { readonly digest: string; readonly files: Uint8Array }): Promise<Uint8Array | null> {
    return remembered(this.#folders, keptLookups, digest, async () => {
      try {
        return (await this.#options.compiler.compile(files)).artifact;
      } catch (error) {
        if (error instanceof RulePackRefused) return null;
        throw error;
      }
    });
  }

  async #kept(packs: ReadyRules, name: string, make: (path: string) => Promise<void>): Promise<string> {
    const set = join(this.#options.folder, digestOf([packs.digest]).slice(0, 32));
    const path = join(set, name);
    if (await isThere(path)) {
      const now = new Date();
      await utimes(set, now, now);
      return path;
    }
    await mkdir(set, { recursive: true });
    await this.#forgetOld();
    // Whoever makes the same at the same time ends up with one of the two, whole.
    const making = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      await make(making);
      await rename(making, path).catch(async (error: unknown) => {
        if (!(await isThere(path))) throw error;
      });
    } finally {
      await rm(making, { recursive: true, force: true });
    }
    return path;
  }

  async #forgetOld(): Promise<void> {
    const { folder } = this.#options;
    const names = await readdir(folder);
    const dated = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
    );
    const old = dated.toSorted((one, other) => other.at - one.at).slice(keptSets);
    await Promise.all(old.map(({ name }) => rm(join(folder, name), { recursive: true, force: true })));
  }
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What was made of a key before, unless that failed; those used last are kept. */
function remembered<T>(kept: Map<string, Promise<T>>, most: number, key: string, make: () => Promise<T>): Promise<T> {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  value.catch(() => kept.delete(key));
  for (const old of [...kept.keys()].slice(0, -most)) kept.delete(old);
  return value;
}

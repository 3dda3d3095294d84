import type {
  CompiledPack,
  PackContent,
  PackPart,
  PackRevision,
  RevisedPack,
} from '@svc/application/ports/rule-compiler.ts';
import type { RuleFilters } from '@svc/domain';
import { combineRules, loadRules, packRules, reviseRules, type RuleFile, unpackRules } from '@svc/engine';
import { type PackFiles, PackError, readPack } from '@svc/engine/node';
import { createHash } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { gunzipSync, gzipSync } from 'node:zlib';
import { answerAsks } from '../machine/answer-asks.ts';
import { licenceOf, newestDate, readManifest, readRelease } from './pack-facts.ts';
import { readPlaceholdersFile } from './placeholders-file.ts';

export interface RulesThreadData {
  /** File with the values of placeholders in rules. */
  readonly placeholdersFile: string | undefined;
}

// Rules come from anywhere, so what they take is taken here: of a thread that can be ended.
const { placeholdersFile } = workerData as RulesThreadData;

/** What rejects with a `PackError` is a sentence about the pack. */
const answers = {
  read: async (path: string): Promise<PackContent> => contentOf(await packAt(path)),
  compile,
  revise,
  combine,
};
export type RulesThread = typeof answers;
answerAsks(answers);

/** The operator may have named what is not there. */
async function packAt(path: string): Promise<PackFiles> {
  try {
    return await readPack(path);
  } catch (error) {
    const { code, path: at = path } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new PackError(`There is no file or folder ${at}`);
    if (code === 'EACCES') throw new PackError(`The service may not read ${at}`);
    throw error;
  }
}

function contentOf({ rules, licence, manifest, release }: PackFiles): PackContent {
  const { name = null, version, licence: stated } = readManifest(manifest);
  const published = readRelease(release);
  const hash = createHash('sha256');
  for (const text of [...rules.flatMap((rule) => [rule.path, rule.text]), licence ?? '']) {
    hash.update(`${Buffer.byteLength(text)}\0`).update(text);
  }
  return {
    digest: hash.digest('hex'),
    files: gzipSync(JSON.stringify({ rules, licence })),
    name,
    version: version ?? published.version ?? null,
    licence: stated ?? licenceOf(licence, rules) ?? published.licence ?? null,
    datedAt: newestDate(rules),
  };
}

function revise(packed: Uint8Array | null, revision: PackRevision): RevisedPack | null {
  const { rules, licence } = packed === null ? { rules: [], licence: null } : filesOf(packed);
  const revised = revisionOf(rules, revision);
  if (revised === null) return null;
  const { files, saved } = revised;
  return {
    content: files.length === 0 ? null : contentOf({ rules: files, licence, manifest: null, release: null }),
    saved,
  };
}

function revisionOf(rules: readonly RuleFile[], revision: PackRevision): ReturnType<typeof reviseRules> {
  try {
    return reviseRules(rules, revision);
  } catch (error) {
    throw new PackError(error instanceof Error ? error.message : String(error));
  }
}

function filesOf(packed: Uint8Array): Pick<PackFiles, 'rules' | 'licence'> {
  return JSON.parse(gunzipSync(packed).toString()) as Pick<PackFiles, 'rules' | 'licence'>;
}

/** A rule that is made to take time or memory is no mistake of an author. */
const hostile =
  /^Not readable as YAML: (aliases|nesting) exceeded|has more than \d+ values$|stands for more than \d+ values$|is longer than 16,384 characters$|expression too large$|is nested deeper than \d+$/;

async function compile(files: Uint8Array): Promise<CompiledPack> {
  const { rules } = filesOf(files);
  const { placeholders } = await readPlaceholdersFile(placeholdersFile);
  const loaded = loadRules(rules, { placeholders });
  const { rejected, retired, warnings } = loaded;
  const attack = rejected.find(({ message }) => hostile.test(message));
  if (attack) throw new PackError(`${attack.path}:${attack.line} is made to take time or memory: ${attack.message}`);
  if (loaded.loaded === 0) {
    const [first] = rejected;
    const because = first === undefined ? '' : `; the first: ${first.path}:${first.line}: ${first.message}`;
    throw new PackError(`None of the rules in the pack can be used${because}`);
  }
  if (rejected.length > loaded.loaded) {
    const [first] = rejected;
    throw new PackError(
      `The pack is taken for damaged: ${rejected.length} of its rules are rejected and only ${loaded.loaded} load; the first: ${first!.path}:${first!.line}: ${first!.message}`,
    );
  }
  return { artifact: packRules(loaded.rules), loaded: loaded.loaded, rejected, retired, warnings };
}

function combine(parts: readonly PackPart[], filters: RuleFilters): Pick<CompiledPack, 'artifact' | 'loaded'> {
  const set = combineRules(
    parts.map(({ artifact, overrides }) => ({
      rules: unpackRules(artifact),
      overrides: new Map(overrides.map(({ ruleId, ...decision }) => [ruleId, decision])),
    })),
    filters,
  );
  const loaded = set.rules.length + set.correlations.length - set.silent.rules.length - set.silent.correlations.length;
  if (loaded === 0) throw new PackError('The filters of the workflow leave no rule of its packs');
  return { artifact: packRules(set), loaded };
}

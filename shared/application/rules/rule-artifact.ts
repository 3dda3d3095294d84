import { AppError, type PackOverride, type RuleFilters, type RulePackVersion } from '@svc/domain';
import { createHash } from 'node:crypto';
import type { Ports } from '../ports/ports.ts';
import type { RuleArtifact } from './rule-artifacts.ts';
import { readBytes, storeBytes } from './stored-object.ts';

export type ArtifactPorts = Pick<Ports, 'clock' | 'objects' | 'ruleArtifacts' | 'ruleCompiler'>;

/** The version of a pack that is to be used, and what was decided about its rules. */
export interface ChosenPack {
  readonly version: Pick<RulePackVersion, 'digest' | 'filesKey'>;
  readonly overrides: readonly PackOverride[];
}

/** The compiled rules of these packs that pass the filters; made when nobody has made them before. */
export async function artifactOf(
  ports: ArtifactPorts,
  packs: readonly ChosenPack[],
  filters: RuleFilters,
): Promise<RuleArtifact> {
  const parts = packs.map(({ version, overrides }) => [version.digest, overrides]);
  const digest = await digestOf(ports, [parts, filters]);
  const known = await ports.ruleArtifacts.find(digest);
  if (known) return known;
  const [first, ...more] = packs;
  if (first && more.length === 0 && first.overrides.length === 0 && isOpen(filters)) return packArtifact(ports, first);
  const inputs = [];
  for (const { version, overrides } of packs) {
    const { storageKey } = await packArtifact(ports, { version });
    inputs.push({ artifact: await readBytes(ports, storageKey), overrides });
  }
  const { artifact, loaded } = await ports.ruleCompiler.combine(inputs, filters);
  return keepArtifact(ports, digest, artifact, loaded);
}

/** The compiled rules themselves; made anew where their object is gone. */
export async function artifactBytes(
  ports: ArtifactPorts,
  artifact: RuleArtifact,
  makeAgain: () => Promise<RuleArtifact>,
): Promise<Uint8Array> {
  try {
    return await readBytes(ports, artifact.storageKey);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'upload_missing') throw error;
    await ports.ruleArtifacts.remove(artifact.digest);
    return readBytes(ports, (await makeAgain()).storageKey);
  }
}

/** A whole pack, compiled from its files where this engine has not done it yet. */
async function packArtifact(ports: ArtifactPorts, { version }: Pick<ChosenPack, 'version'>): Promise<RuleArtifact> {
  const digest = await digestOf(ports, version.digest);
  const known = await ports.ruleArtifacts.find(digest);
  if (known && (await ports.objects.exists(known.storageKey))) return known;
  if (known) await ports.ruleArtifacts.remove(digest);
  const { artifact, loaded } = await ports.ruleCompiler.compile(await readBytes(ports, version.filesKey));
  return keepArtifact(ports, digest, artifact, loaded);
}

/** Keeps what was compiled of a pack as a whole. */
export async function keepPackArtifact(
  ports: ArtifactPorts,
  packDigest: string,
  { artifact, loaded }: { artifact: Uint8Array; loaded: number },
): Promise<void> {
  await keepArtifact(ports, await digestOf(ports, packDigest), artifact, loaded);
}

async function keepArtifact(
  ports: ArtifactPorts,
  digest: string,
  bytes: Uint8Array,
  loaded: number,
): Promise<RuleArtifact> {
  const storageKey = await storeBytes(ports, '.rules', bytes);
  const kept = await ports.ruleArtifacts.add({ digest, storageKey, loaded }, ports.clock.now());
  if (kept.storageKey !== storageKey) await ports.objects.delete(storageKey);
  return kept;
}

async function digestOf({ ruleCompiler }: Pick<Ports, 'ruleCompiler'>, of: unknown): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify([await ruleCompiler.identity(), of]))
    .digest('hex');
}

function isOpen({ minLevel, ...lists }: RuleFilters): boolean {
  return minLevel === null && Object.values(lists).every((list) => list.length === 0);
}

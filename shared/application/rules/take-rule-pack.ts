import { AppError, packNamePattern, type RulePack, type RulePackVersion } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { type PackContent, RulePackRefused } from '../ports/rule-compiler.ts';
import { type ArtifactPorts, keepPackArtifact } from './rule-artifact.ts';
import { storeBytes } from './stored-object.ts';

export type PackPorts = ArtifactPorts & Pick<Ports, 'log' | 'rulePacks'>;

/** A pack on this machine, and where it is from. */
export interface PackOrigin {
  /** Folder, or archive. */
  readonly path: string;
  /** Name to give it where nobody says another, before it is made fit. */
  readonly fileName: string;
  /** URL, name of the file, or `shipped`. */
  readonly source: string;
  readonly url: string | null;
}

/** What whoever imports a pack wants it to be called; null to go by the pack itself. */
export interface PackWish {
  readonly name: string | null;
  readonly version: string | null;
}

/** What must be true for a version to be put in force. */
export interface PackCondition {
  /** File of which every rule must load. */
  readonly mustLoad?: string | undefined;
  /** Digest of the version that must be in force; null for none. */
  readonly over?: string | null;
}

export interface TakenPack {
  readonly name: string;
  /** False when just this is in force already. */
  readonly changed: boolean;
}

/**
 * Reads, compiles and stores a pack, and only then puts it in force: all of it, or nothing. Rules of it
 * that do not compile are listed in its report. Throws `pack_refused`, with a sentence, for a pack that is
 * none, is not safe or has no rules; the version before it stays in force.
 */
export async function takeRulePack(
  ports: PackPorts,
  origin: PackOrigin,
  wish: PackWish,
  by: string | null,
): Promise<TakenPack> {
  try {
    const content = await ports.ruleCompiler.read(origin.path);
    const name = nameOf(wish.name ?? content.name ?? origin.fileName);
    return { name, changed: await putInForce(ports, origin, { ...wish, name }, content, by) };
  } catch (error) {
    if (!(error instanceof RulePackRefused)) throw error;
    throw new AppError('pack_refused', error.message, { cause: error });
  }
}

/**
 * Compiles and stores a pack that was read, and puts it in force; false when just this is in force already, or when
 * nobody asks for it (`by` is null) and it is what an administrator has gone back from.
 */
export async function putInForce(
  ports: PackPorts,
  { source, url }: Pick<PackOrigin, 'source' | 'url'>,
  { name, version }: { readonly name: string; readonly version: string | null },
  content: PackContent,
  by: string | null,
  { mustLoad, over }: PackCondition = {},
): Promise<boolean> {
  const { digest, licence } = content;
  const present = (await ports.rulePacks.list()).find(({ pack }) => pack.name === name);
  const now = ports.clock.now();
  const isLeft = by === null && present !== undefined && (await hasLeft(ports, present.pack, digest));
  if (isLeft || present?.pack.inForce.digest === digest) {
    await ports.rulePacks.change(name, { url, checked: { at: now, error: null } });
    return false;
  }
  const { artifact, loaded, ...report } = await ports.ruleCompiler.compile(content.files);
  const fault = report.rejected.find(({ path }) => path === mustLoad);
  if (fault) throw new RulePackRefused(`Line ${fault.line}: ${fault.message}`);
  await keepPackArtifact(ports, digest, { artifact, loaded });
  const filesKey = await storeBytes(ports, '.gz', content.files);
  const reportKey = await storeBytes(ports, '.json', Buffer.from(JSON.stringify(report)));
  const datedAt = content.datedAt ?? now.toISOString().slice(0, 10);
  const next = {
    name,
    url,
    version: version ?? content.version ?? `${datedAt}-${digest.slice(0, 8)}`,
    digest,
    source,
    licence,
    loaded,
    rejected: report.rejected.length,
    retired: report.retired.length,
    warnings: report.warnings.length,
    datedAt,
    importedAt: now,
    importedBy: by,
    filesKey,
    reportKey,
  };
  const { put, removed } = await ports.rulePacks.putInForce(next, over).catch(async (error: unknown) => {
    await removeObjects(ports, [next]);
    throw error;
  });
  await removeObjects(ports, put ? removed : [{ filesKey, reportKey }]);
  if (put) ports.log.info('rule pack in force', { pack: name, source, loaded, rejected: report.rejected.length });
  return put;
}

/** Whether the content is that of a version which is newer than the one in force. */
async function hasLeft({ rulePacks }: PackPorts, { name, inForce }: RulePack, digest: string): Promise<boolean> {
  return (await rulePacks.versions(name)).some((version) => version.digest === digest && version.id > inForce.id);
}

/** Removes what was stored of versions; what cannot be removed now is no reason to fail. */
export async function removeObjects(
  { log, objects }: Pick<Ports, 'log' | 'objects'>,
  versions: readonly Pick<RulePackVersion, 'filesKey' | 'reportKey'>[],
): Promise<void> {
  for (const key of versions.flatMap(({ filesKey, reportKey }) => [filesKey, reportKey])) {
    await objects.delete(key).catch((error: unknown) => log.warn('a rule pack’s object stays', { key, error }));
  }
}

/** A name that addresses and settings can hold, made of what a file is called. */
function nameOf(wanted: string): string {
  const name = wanted
    .toLowerCase()
    .replace(/\.(zip|tgz|tar\.gz|gz)$/, '')
    // SigmaHQ has “core”, “core+” and “core++”, which are three packs.
    .replaceAll('+', '-plus')
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 64);
  if (packNamePattern.test(name)) return name;
  throw new RulePackRefused('The pack has no name; say one, of letters, digits, dots and dashes');
}

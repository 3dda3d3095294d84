import type { InputOf, operations } from '@svc/contracts';
import { AppError, notFound, type Actor } from '@svc/domain';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { RuleArtifact } from './rule-artifacts.ts';
import { readBytes, storeBytes } from './stored-object.ts';
import { refuseInDemoMode } from '../submissions/admit-upload.ts';
import { getsAllRules, shippedDigests, type TriagePorts } from './rules-in-browser.ts';

const packedSuffix = '.gz';

/** Compiled rules as gzip, by the digest of what they were made from; compressed once, and kept like the rules. */
export async function getCompiledRules(
  ports: TriagePorts,
  actor: Actor,
  { digest }: InputOf<typeof operations.getCompiledRules>,
): Promise<Uint8Array> {
  await refuseInDemoMode(ports);
  // Knowing a digest is no permission: it may be known from a time when all rules were handed out.
  if (!(await getsAllRules(ports, actor)) && !(await shippedDigests(ports)).has(digest)) throw notFound('set of rules');
  const digestOfPacked = createHash('sha256').update(`gzip ${digest}`).digest('hex');
  const packed = await ports.ruleArtifacts.find(digestOfPacked);
  const known = packed && (await bytesOf(ports, packed));
  if (known) return known;
  const artifact = await ports.ruleArtifacts.find(digest);
  // What is packed is kept like rules, and would be packed again, and kept, for everybody who asks for it by its digest.
  const isPacked = artifact?.storageKey.endsWith(packedSuffix) === true;
  const rules = artifact && !isPacked && (await bytesOf(ports, artifact));
  if (!artifact || !rules) throw notFound('set of rules');
  const bytes = await promisify(gzip)(rules, { level: constants.Z_BEST_COMPRESSION });
  const storageKey = await storeBytes(ports, packedSuffix, bytes);
  const { loaded } = artifact;
  const kept = await ports.ruleArtifacts.add({ digest: digestOfPacked, storageKey, loaded }, ports.clock.now());
  if (kept.storageKey !== storageKey) await ports.objects.delete(storageKey);
  return bytes;
}

/** Null, and forgotten, where the object is gone: the next plan has it made again. */
async function bytesOf(ports: TriagePorts, { digest, storageKey }: RuleArtifact): Promise<Uint8Array | null> {
  try {
    return await readBytes(ports, storageKey);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'upload_missing') throw error;
    await ports.ruleArtifacts.remove(digest);
    return null;
  }
}

import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { type Actor, AppError } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { findUpload } from '../submissions/find-upload.ts';
import { withFetchedPack } from './fetch-pack.ts';
import { findPack, toPackView } from './present-pack.ts';
import { type PackOrigin, type PackPorts, type PackWish, type TakenPack, takeRulePack } from './take-rule-pack.ts';

export type ImportPorts = PackPorts & Pick<Ports, 'outbound' | 'uploads'>;

/**
 * Takes a pack that was sent to an upload, or is at an address, and puts it in force. Throws `pack_refused`
 * with a sentence, `no_upload` and `upload_incomplete`.
 */
export async function importRulePack(
  ports: ImportPorts,
  actor: Actor,
  input: InputOf<typeof operations.importRulePack>,
): Promise<OutputOf<typeof operations.importRulePack>> {
  const wish = { name: input.name ?? null, version: input.version ?? null };
  const by = actor.kind === 'account' ? actor.userId : null;
  const { name, changed } =
    input.url === undefined
      ? await takeUploaded(ports, actor, input.upload_id, wish, by)
      : await takeFrom(ports, input.url, wish, by);
  return { pack: toPackView((await findPack(ports, name)).pack, ports.clock.now()), changed };
}

/** Takes the pack at an address, which is where its next version is looked for. */
export function takeFrom(
  ports: PackPorts & Pick<Ports, 'outbound'>,
  url: string,
  wish: PackWish,
  by: string | null,
): Promise<TakenPack> {
  const fileName = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '';
  return withFetchedPack(ports, url, (path) => takeRulePack(ports, { path, fileName, source: url, url }, wish, by));
}

async function takeUploaded(
  ports: ImportPorts,
  actor: Actor,
  id: string | undefined,
  wish: PackWish,
  by: string | null,
): Promise<TakenPack> {
  const slot = await findUpload(ports, actor, id);
  if (slot.storageKey === null || !(await ports.objects.exists(slot.storageKey))) {
    throw new AppError('upload_incomplete', 'The bytes of this upload have not arrived; send them, then import it');
  }
  if (slot.outcome !== null) throw new AppError('no_upload', 'This upload was submitted as a log; send the pack again');
  const copy = await ports.objects.localCopy(slot.storageKey);
  try {
    const origin: PackOrigin = { path: copy.path, fileName: slot.fileName, source: slot.fileName, url: null };
    return await takeRulePack(ports, origin, wish, by);
  } finally {
    await copy.release();
    // Taken or refused, it is of no more use.
    await ports.uploads.remove(slot.id);
    await ports.objects.delete(slot.storageKey);
  }
}

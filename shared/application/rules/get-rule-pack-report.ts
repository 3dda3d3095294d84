import { type InputOf, mostRemarks, type operations, type OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { CompiledPack } from '../ports/rule-compiler.ts';
import { findPack } from './present-pack.ts';
import { readBytes } from './stored-object.ts';

/** What became of the rules of a pack in force; throws `not_found`. */
export async function getRulePackReport(
  ports: Pick<Ports, 'objects' | 'rulePacks'>,
  _actor: Actor,
  { name }: InputOf<typeof operations.getRulePackReport>,
): Promise<OutputOf<typeof operations.getRulePackReport>> {
  const { inForce } = (await findPack(ports, name)).pack;
  // As it was written when the pack was taken.
  const report = JSON.parse(Buffer.from(await readBytes(ports, inForce.reportKey)).toString()) as Pick<
    CompiledPack,
    'rejected' | 'retired' | 'warnings'
  >;
  return {
    version: inForce.version,
    rejected: report.rejected.slice(0, mostRemarks),
    retired: report.retired.slice(0, mostRemarks),
    warnings: report.warnings.slice(0, mostRemarks),
  };
}

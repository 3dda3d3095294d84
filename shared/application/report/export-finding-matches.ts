import type { InputOf, operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { sentDownload, type Download, type SendPorts } from './download.ts';
import { fullestEvidence, visibleFinding, type EvidencePorts } from './finding-evidence.ts';
import { exportOf } from './shown/matches.ts';

/** The matched events of a finding that are at hand, as `finding_{id}_matches.jsonl` or `.csv`. */
export async function exportFindingMatches(
  ports: EvidencePorts & SendPorts & Pick<Ports, 'log'>,
  actor: Actor,
  { id, format }: InputOf<typeof operations.exportFindingMatches>,
): Promise<Download> {
  const finding = await visibleFinding(ports, actor, id);
  const evidence = await fullestEvidence(ports, finding);
  ports.log.info('matched events exported', { job_id: finding.jobId, finding_id: id });
  const fileName = `finding_${id}_matches.${format}`;
  return sentDownload(ports, exportOf(evidence, format), { fileName, suffix: `.${format}` });
}

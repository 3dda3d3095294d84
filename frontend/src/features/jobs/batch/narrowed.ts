import type { BatchVerdict } from '@svc/contracts';
import type { BatchView } from './batch-view.ts';

/** The rules that the view asks for, and the files and hosts in which any of them may have matched. */
export function narrowed(batch: BatchVerdict, { severity, tactic, host }: BatchView): BatchVerdict {
  if (severity === undefined && tactic === undefined && host === undefined) return batch;
  const rules = batch.rules.filter(
    (rule) =>
      (severity === undefined || rule.severity === severity) &&
      (tactic === undefined || rule.tactics.includes(tactic)) &&
      (host === undefined || rule.hosts.includes(host)),
  );
  const onHost = host === undefined ? null : new Set(batch.hosts.find((one) => one.host === host)?.job_ids);
  const named = new Set(rules.flatMap(({ places }) => places.map((place) => place.job_id)));
  const hosts = new Set(rules.flatMap((rule) => rule.hosts));
  return {
    ...batch,
    rules,
    hosts: batch.hosts.filter((one) => hosts.has(one.host) && (host === undefined || one.host === host)),
    jobs: batch.jobs.filter(({ job_id: id }) => named.has(id) && (onHost === null || onHost.has(id))),
  };
}

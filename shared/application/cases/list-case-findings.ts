import type { CaseFinding, InputOf, operations, OutputOf } from '@svc/contracts';
import {
  onCaseClock,
  severities,
  severityRank,
  type Actor,
  type Finding,
  type ReviewState,
  type Severity,
} from '@svc/domain';
import type { AlertColumns } from '../report/derivation-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { toFindingRow } from '../report/shown/findings.ts';
import type { CaseFindingPlace } from './case-findings.ts';
import type { MemberJob } from './case-timelines.ts';
import { visibleMembers } from './visible-members.ts';

const perPage = 100;
const hostsShown = 3;

/** Findings of all jobs of a case that the actor sees, worst first. */
export async function listCaseFindings(
  ports: Pick<Ports, 'caseFindings' | 'cases' | 'caseTimelines'>,
  actor: Actor,
  {
    id,
    job_id: job,
    severity = [],
    q,
    host,
    tactic,
    state,
    suppressed,
    cursor,
  }: InputOf<typeof operations.listCaseFindings>,
): Promise<OutputOf<typeof operations.listCaseFindings>> {
  const { members } = await visibleMembers(ports, actor, { id, job });
  const byJob = new Map(
    members.filter(({ jobId }) => job === undefined || jobId === job).map((one) => [one.jobId, one]),
  );
  const jobIds = [...byJob.keys()];
  // Findings of many hosts are stored without them; the index of alerts knows them.
  const ids = host === '' ? [] : findingsOn(host, (await ports.caseTimelines.alerts(jobIds)).values());
  const found = await ports.caseFindings.page(
    {
      caseId: id,
      isSuppressed: suppressed === true,
      jobIds,
      severities: severity,
      rule: q,
      host: host === '' ? null : { name: host, ids },
      tactic: tactic ?? null,
      state: state ?? null,
    },
    { after: readPlace(cursor), limit: perPage + 1 },
  );
  const shown = found.findings.slice(0, perPage);
  const wanted: readonly Severity[] = severity.length === 0 ? severities : severity;
  return {
    findings: shown.map((finding) => toRow(finding, byJob.get(finding.jobId)!)),
    total: wanted.reduce((sum, one) => sum + found.severities[one], 0),
    severities: { ...found.severities },
    next: found.findings.length > perPage ? writtenPlace(shown.at(-1)!) : null,
  };
}

function findingsOn(host: string, indexes: Iterable<AlertColumns>): number[] {
  const ids: number[] = [];
  for (const { keys, computers } of indexes) {
    const places = computers.map((name) => name.toLowerCase() === host.toLowerCase());
    for (const [, , , , computer, , finding] of keys) if (places[computer]) ids.push(finding);
  }
  return [...new Set(ids)];
}

function toRow(finding: Finding & { readonly state: ReviewState }, member: MemberJob): CaseFinding {
  const { id, tool, rule_id, rule_name, severity, count, suppressed, tags } = toFindingRow(finding);
  return {
    id,
    tool,
    rule_id,
    rule_name,
    severity,
    count,
    ...(suppressed !== undefined && { suppressed }),
    tags,
    first_seen: caseTime(finding.firstSeen, member),
    last_seen: caseTime(finding.lastSeen, member),
    job_id: finding.jobId,
    filename: member.fileName,
    hosts: finding.hosts?.slice(0, hostsShown) ?? [],
    hosts_total: finding.hosts?.length ?? null,
    state: finding.state,
  };
}

/** A time of a log as the case tells it; one that cannot be read stays as it is. */
export function caseTime(time: string | null, member: MemberJob): string | null {
  const at = time === null || member.clockOffset === 0 ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? time : new Date(onCaseClock(at, member)).toISOString();
}

function writtenPlace({ severity, count, id }: Finding): string {
  return `${severityRank(severity)}-${count}-${id}`;
}

function readPlace(cursor: string | undefined): CaseFindingPlace | null {
  if (cursor === undefined) return null;
  const [rank = 0, count = 0, id = 0] = cursor.split('-').map(Number);
  return { rank, count, id };
}

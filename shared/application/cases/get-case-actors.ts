import type { CaseActor, InputOf, operations, OutputOf } from '@svc/contracts';
import { onCaseClock, severities, severityRank, type Actor, type Severity } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { AlertColumns } from '../report/derivation-repository.ts';
import type { FindingMark } from './case-findings.ts';
import type { MemberJob } from './case-timelines.ts';
import { caseTime } from './list-case-findings.ts';
import { visibleMembers } from './visible-members.ts';

const mostShown = 500;
const rulesShown = 5;

/** Hosts and accounts of all jobs of a case that the actor sees, the worst first. */
export async function getCaseActors(
  ports: Pick<Ports, 'caseFindings' | 'cases' | 'caseTimelines'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getCaseActors>,
): Promise<OutputOf<typeof operations.getCaseActors>> {
  const { members } = await visibleMembers(ports, actor, { id });
  const jobIds = members.map(({ jobId }) => jobId);
  const [indexes, marks, accounts] = await Promise.all([
    ports.caseTimelines.alerts(jobIds),
    ports.caseFindings.marks(id, jobIds),
    ports.caseFindings.accounts(id, jobIds),
  ]);
  const byJob = new Map(members.map((member) => [member.jobId, member]));
  const hosts = new Tally();
  const byId = new Map(marks.map((mark) => [mark.id, mark]));
  for (const member of members) countAlerts(hosts, member, { index: indexes.get(member.jobId), marks: byId });
  for (const mark of marks) {
    // Matches without a time are in no index.
    for (const name of mark.hosts ?? []) hosts.of(name).add({ ...mark, key: `${mark.id}`, findings: 1 });
  }
  const users = new Tally();
  for (const { entityId, name, firstSeen, lastSeen, ...named } of accounts) {
    const member = byJob.get(named.jobId)!;
    const user = users.of(name, entityId);
    user.add({ ...named, key: `${named.jobId} ${named.severity} ${named.ruleName}` });
    user.seen(caseTime(firstSeen, member), caseTime(lastSeen, member));
  }
  return {
    hosts: hosts.worst(),
    hosts_total: hosts.size,
    users: users.worst(),
    users_total: users.size,
    jobs: members.map(({ jobId, fileName }) => ({ id: jobId, filename: fileName })),
  };
}

/** First and last match of each host, and which findings it is named by. */
function countAlerts(
  hosts: Tally,
  member: MemberJob,
  { index, marks }: { readonly index: AlertColumns | undefined; readonly marks: ReadonlyMap<number, FindingMark> },
): void {
  if (index === undefined) return;
  const { ts, k, keys, computers } = index;
  const first = new Float64Array(computers.length).fill(Number.NaN);
  const last = new Float64Array(computers.length).fill(Number.NaN);
  for (let at = 0; at < ts.length; at++) {
    const computer = keys[k[at]!]![4];
    if (computer === -1) continue;
    if (Number.isNaN(first[computer])) first[computer] = ts[at]!;
    last[computer] = ts[at]!;
  }
  const timeAt = (seconds: number) => new Date(onCaseClock(seconds * 1000, member)).toISOString();
  for (const [at, name] of computers.entries()) {
    if (!Number.isNaN(first[at])) hosts.of(name).seen(timeAt(first[at]!), timeAt(last[at]!));
  }
  for (const [, , , , computer, , finding] of keys) {
    const mark = marks.get(finding);
    if (computer !== -1 && mark) hosts.of(computers[computer]!).add({ ...mark, key: `${mark.id}`, findings: 1 });
  }
}

interface Named {
  readonly jobId: number;
  readonly severity: Severity;
  readonly ruleName: string;
  readonly findings: number;
  /** What is counted once, however often it is met. */
  readonly key: string;
}

/** What is said of one host or account. */
class Summary {
  readonly name: string;
  readonly entityId: number | null;
  readonly #met = new Map<string, Named>();
  #first: string | null = null;
  #last: string | null = null;

  constructor(name: string, entityId: number | null) {
    this.name = name;
    this.entityId = entityId;
  }

  add(named: Named): void {
    this.#met.set(named.key, named);
  }

  seen(first: string | null, last: string | null): void {
    if (first !== null && (this.#first === null || first < this.#first)) this.#first = first;
    if (last !== null && (this.#last === null || last > this.#last)) this.#last = last;
  }

  finished(): CaseActor {
    const met = [...this.#met.values()];
    const of = (severity: Severity) =>
      met.filter((one) => one.severity === severity).reduce((sum, { findings }) => sum + findings, 0);
    const rules = new Map<string, { name: string; severity: Severity; findings: number }>();
    for (const { ruleName: name, severity, findings } of met) {
      const rule = rules.get(`${severity} ${name}`) ?? { name, severity, findings: 0 };
      rules.set(`${severity} ${name}`, { ...rule, findings: rule.findings + findings });
    }
    return {
      name: this.name,
      entity_id: this.entityId,
      findings: {
        critical: of('critical'),
        high: of('high'),
        medium: of('medium'),
        low: of('low'),
        informational: of('informational'),
      },
      job_ids: [...new Set(met.map(({ jobId }) => jobId))].sort((a, b) => a - b),
      first: this.#first,
      last: this.#last,
      rules: [...rules.values()]
        .sort(
          (a, b) =>
            severityRank(a.severity) - severityRank(b.severity) ||
            b.findings - a.findings ||
            (a.name < b.name ? -1 : 1),
        )
        .slice(0, rulesShown),
    };
  }
}

/** Hosts or accounts by their names, in whatever case logs write them. */
class Tally {
  readonly #byName = new Map<string, Summary>();

  of(name: string, entityId: number | null = null): Summary {
    const key = name.toLowerCase();
    const known = this.#byName.get(key) ?? new Summary(name, entityId);
    this.#byName.set(key, known);
    return known;
  }

  get size(): number {
    return this.#byName.size;
  }

  worst(): CaseActor[] {
    return [...this.#byName.values()]
      .map((one) => one.finished())
      .sort((a, b) => moreFindings(a, b) || (a.name < b.name ? -1 : 1))
      .slice(0, mostShown);
  }
}

function moreFindings(a: CaseActor, b: CaseActor): number {
  for (const severity of severities) {
    const more = (b.findings[severity] ?? 0) - (a.findings[severity] ?? 0);
    if (more !== 0) return more;
  }
  return 0;
}

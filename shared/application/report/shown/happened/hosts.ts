import type { FindingRow } from '@svc/contracts';
import { severities } from '@svc/domain';
import type { AlertIndex } from '../../derivation-repository.ts';

/** Which findings matched on which computer. */
export interface HostMatches {
  readonly hosts: ReadonlyMap<string, ReadonlySet<number>>;
  /** Not all matched events were looked at. */
  readonly isPart: boolean;
}

/** As the stored alerts tell it. */
export function hostsOf({ keys, computers, source_truncated: isPart }: AlertIndex): HostMatches {
  const hosts = new Map<string, Set<number>>();
  for (const [, , , , computer, , finding] of keys) {
    const name = computers[computer];
    if (name === undefined) continue;
    const ids = hosts.get(name) ?? new Set();
    hosts.set(name, ids.add(finding));
  }
  return { hosts, isPart };
}

export interface Host {
  readonly name: string;
  readonly findings: readonly FindingRow[];
}

/** Computers on which some of the findings matched, by how bad these are. */
export function worstHosts({ hosts }: HostMatches, findings: readonly FindingRow[]): Host[] {
  const known = [...hosts].map(([name, ids]) => ({ name, findings: findings.filter(({ id }) => ids.has(id)) }));
  return known
    .filter((host) => host.findings.length > 0)
    .map((host) => ({ host, counts: countsOf(host.findings) }))
    .sort((a, b) => {
      const at = a.counts.findIndex((count, place) => count !== b.counts[place]);
      return at < 0 ? (a.host.name < b.host.name ? -1 : 1) : b.counts[at]! - a.counts[at]!;
    })
    .map(({ host }) => host);
}

function countsOf(findings: readonly FindingRow[]): number[] {
  return severities.map((severity) => findings.filter((one) => one.severity === severity).length);
}

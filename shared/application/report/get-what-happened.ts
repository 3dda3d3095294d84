import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { isCounting, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentAnalytics } from './shown/analytics.ts';
import { toFindingRow, toMatchedEvent } from './shown/findings.ts';
import { accountsOf } from './shown/happened/accounts.ts';
import { hostsOf } from './shown/happened/hosts.ts';
import { whatHappened } from './shown/happened/what-happened.ts';
import { presentProcessTree } from './shown/process-tree.ts';
import { panelsOf, shownAnalytics } from '../system/panels.ts';
import { visibleJob } from '../jobs/visible-job.ts';

/** More findings than there are rules. */
const allFindings = 1_000_000;

/** What the findings of a job come to, of what the site shows of reports. */
export async function getWhatHappened(
  { derivations, findings, jobViews, settings }: Pick<Ports, 'derivations' | 'findings' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getWhatHappened>,
): Promise<OutputOf<typeof operations.getWhatHappened>> {
  const [, site] = await Promise.all([visibleJob({ jobViews }, actor, id), settings.current()]);
  const panels = panelsOf(site);
  const [found, analytics, alerts, processes, census] = await Promise.all([
    findings.page(id, { severity: null, page: 1, per: allFindings }),
    derivations.analytics(id),
    panels.alert_timeline ? derivations.alerts(id) : null,
    panels.process_tree ? derivations.processes(id) : null,
    derivations.census(id),
  ]);
  return whatHappened({
    findings: found.findings.filter(isCounting).map(toFindingRow),
    hosts: alerts && hostsOf(alerts),
    accounts: analytics && accountsOf(shownAnalytics(presentAnalytics(analytics, []), site)),
    processes: processes && presentProcessTree(processes).roots,
    census,
    showsNames: panels.entities,
    eventsOf: async (finding) => (await findings.events(finding)).slice(0, site.maxFindingDetails).map(toMatchedEvent),
  });
}

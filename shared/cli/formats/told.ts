import { sentenceText } from '@svc/application/report/shown/happened/sentence-parts.ts';
import { whatHappened } from '@svc/application/report/shown/happened/what-happened.ts';
import { toFindingRow } from '@svc/application/report/shown/findings.ts';
import { toNewFinding } from '@svc/application/report/shown/engine-output.ts';
import type { Analysis } from '@svc/engine';
import { type Told, toMatchedEvent } from '../report.ts';

/** Of what the analysis found alone: neither accounts nor processes are looked for here. */
export async function toldOf({ findings, census }: Analysis): Promise<Told> {
  const rows = findings.map((finding, place) =>
    toFindingRow({
      ...toNewFinding(finding),
      id: place,
      jobId: 0,
      taskResultId: 0,
      engine: '',
      suppressed: 0,
      hasEvents: finding.samples.length > 0,
      hasRule: true,
    }),
  );
  const hosts = new Map<string, Set<number>>();
  for (const [place, { computers }] of findings.entries()) {
    for (const computer of computers) hosts.set(computer, (hosts.get(computer) ?? new Set()).add(place));
  }
  const { sentences, contents, least } = await whatHappened({
    findings: rows,
    hosts: hosts.size === 0 ? null : { hosts, isPart: false },
    accounts: null,
    processes: null,
    census,
    showsNames: true,
    eventsOf: async (place) => findings[place]!.samples.map(toMatchedEvent),
  });
  return {
    happened: sentences.map(sentenceText),
    contents: least === 'medium' ? [] : (contents ?? []).map(sentenceText),
  };
}

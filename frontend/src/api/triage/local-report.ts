import { eventsTimeline } from '@svc/application/report/shown/events-timeline.ts';
import { toExportedFinding } from '@svc/application/report/shown/findings.ts';
import { mitreLayer } from '@svc/application/report/shown/mitre-layer.ts';
import type { Analytics, FindingRow, MatchedEvent, MitreLayer, ProcessTree } from '@svc/contracts';
import type { ReportSource } from '../report-source.ts';
import type { LocalReport, Texts } from './messages.ts';

type AlertIndex = Parameters<typeof eventsTimeline>[0];

/** The report of an analysis in this browser, by its number, for the panels that show reports of jobs. */
export function localReport(key: number, report: LocalReport): ReportSource {
  const { derived, samples, rules, findings, authors, maxFindingDetails } = report;
  // Read once, and looked at in many windows.
  let alerts: Promise<AlertIndex> | null = null;
  return {
    key: { triage: key },
    jobId: null,
    analytics: async () =>
      derived === null
        ? { state: 'skipped', analytics: null }
        : { state: 'ready', analytics: (await parsed(derived.analytics)) as Analytics },
    processTree: async () => (derived === null ? noProcesses : ((await parsed(derived.processTree)) as ProcessTree)),
    timeline: async (window) => {
      if (derived !== null) alerts ??= parsed(derived.alerts) as Promise<AlertIndex>;
      return eventsTimeline(await alerts, 0, window);
    },
    events: async (id) => ({ events: await samplesOf(samples, id), max: maxFindingDetails }),
    rule: async (id) => ({
      rule_name: findings[id - 1]!.rule_name,
      language: 'yaml',
      content: await textOf(rules, id - 1),
      author: authors[id - 1] ?? null,
    }),
  };
}

const noProcesses: ProcessTree = {
  roots: [],
  stats: { processes: 0, hits: 0, inferred: 0, roots: 0, truncated: false, depth_capped: false, max_nodes: 0 },
};

/** The findings with their events, as the service has them for download; made a finding at a time. */
export async function findingsJson({ findings, samples, authors }: LocalReport): Promise<Blob> {
  const parts: BlobPart[] = [];
  for (const row of findings) {
    const events = await samplesOf(samples, row.id);
    const exported = toExportedFinding({ ...findingOf(row, authors[row.id - 1] ?? null), events });
    parts.push(parts.length === 0 ? '[' : ',', JSON.stringify(exported));
  }
  return new Blob([...(parts.length === 0 ? ['['] : parts), ']'], { type: 'application/json' });
}

/** One line a finding, for spreadsheets. */
export function findingsCsv({ findings, authors }: LocalReport): Blob {
  const head = ['severity', 'rule', 'rule_id', 'events', 'first_seen', 'last_seen', 'tags', 'rule_author'];
  const lines = findings.map((row) =>
    [
      row.severity,
      row.rule_name,
      row.rule_id ?? '',
      String(row.count),
      row.first_seen ?? '',
      row.last_seen ?? '',
      row.tags.join(' '),
      authors[row.id - 1] ?? '',
    ]
      .map(cell)
      .join(','),
  );
  return new Blob([[head.join(','), ...lines, ''].join('\r\n')], { type: 'text/csv' });
}

/** The techniques of the findings, for the ATT&CK Navigator. */
export function navigatorLayer({ findings }: LocalReport, fileName: string): MitreLayer {
  const description = `Techniques of the Sigma rules that matched in ${fileName}, scored by matched events`;
  return mitreLayer({ name: fileName, description }, findings);
}

/** Quoted; what a spreadsheet would take for a formula is made text. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function findingOf(row: FindingRow, ruleAuthor: string | null): Parameters<typeof toExportedFinding>[0] {
  const { tool: engine, rule_id: ruleId, rule_name: ruleName, severity, count, tags } = row;
  return { jobId: 0, engine, ruleId, ruleName, ruleAuthor, severity, count, tags, events: [] };
}

async function samplesOf(samples: Texts, id: number): Promise<MatchedEvent[]> {
  return JSON.parse(await textOf(samples, id - 1)) as MatchedEvent[];
}

function textOf({ blob, ends }: Texts, place: number): Promise<string> {
  return blob.slice(ends[place - 1] ?? 0, ends[place]).text();
}

async function parsed(blob: Blob): Promise<unknown> {
  return JSON.parse(await blob.text());
}

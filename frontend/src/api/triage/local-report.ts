import { alertMarkers } from '@svc/application/report/shown/alert-markers.ts';
import { eventsTimeline } from '@svc/application/report/shown/events-timeline.ts';
import { findingsCsv } from '@svc/application/report/shown/findings-csv.ts';
import { toExportedFinding } from '@svc/application/report/shown/findings.ts';
import { accountsOf } from '@svc/application/report/shown/happened/accounts.ts';
import { hostsOf } from '@svc/application/report/shown/happened/hosts.ts';
import { whatHappened } from '@svc/application/report/shown/happened/what-happened.ts';
import { matchesIn } from '@svc/application/report/shown/matched-lines.ts';
import { type Evidence, exportOf, groupsOf, matchAt, pageOf } from '@svc/application/report/shown/matches.ts';
import { mitreLayer } from '@svc/application/report/shown/mitre-layer.ts';
import { toWhyNot, whyNot } from '@svc/application/report/shown/why.ts';
import type { Analytics, FindingRow, JobDetail, MatchedEvent, MitreLayer, ProcessTree } from '@svc/contracts';
import { explainHere } from '../try-rule.ts';
import type { ReportSource } from '../report-source.ts';
import type { LocalReport, Texts } from './messages.ts';

/** Read of a blob at a time. */
const sliceBytes = 1_048_576;

type AlertIndex = Parameters<typeof alertMarkers>[0];

/** The report of an analysis in this browser, by its number, for the panels that show reports of jobs. */
export function localReport(key: number, report: LocalReport, panels: JobDetail['panels']): ReportSource {
  const { derived, samples, rules, findings, authors, maxFindingDetails } = report;
  // Read once, and looked at in many windows.
  let read: Promise<AlertIndex> | null = null;
  const alerts = async (): Promise<AlertIndex> =>
    derived === null ? null : (read ??= parsed(derived.alerts) as Promise<AlertIndex>);
  const analytics = async () => derived && ((await parsed(derived.analytics)) as Analytics);
  const processTree = async () => derived && ((await parsed(derived.processTree)) as ProcessTree);
  return {
    key: { triage: key },
    jobId: null,
    analytics: async () => ({ state: derived === null ? 'skipped' : 'ready', analytics: await analytics() }),
    processTree: async () => (await processTree()) ?? noProcesses,
    whatHappened: async () => {
      const [index, named, processes] = await Promise.all([
        panels.alert_timeline ? alerts() : null,
        panels.entities ? analytics() : null,
        panels.process_tree ? processTree() : null,
      ]);
      return whatHappened({
        findings,
        hosts: index && hostsOf(index),
        accounts: named && accountsOf(named),
        processes: processes && processes.roots,
        census: derived && derived.census,
        showsNames: panels.entities,
        eventsOf: (id) => samplesOf(samples, id),
      });
    },
    timeline: async (window) => eventsTimeline([{ jobId: 0, index: await alerts(), clockOffset: 0 }], window),
    markers: async () => alertMarkers(await alerts()),
    events: async (id) => ({ events: await samplesOf(samples, id), max: maxFindingDetails }),
    naming: async (value) => {
      const { findingsNaming } = await import('@svc/application/report/shown/findings-naming.ts');
      const named = [];
      for (const { id } of findings)
        named.push(...findingsNaming([{ id, events: await samplesOf(samples, id) }], value));
      return { findings: named };
    },
    rule: async (id) => ({
      rule_name: findings[id - 1]!.rule_name,
      language: 'yaml',
      content: await textOf(rules, id - 1),
      author: authors[id - 1] ?? null,
    }),
    matches: async (id, { page, field, value }) => ({
      ...(await pageOf(evidenceIn(report, id), { page, filter: field === undefined ? null : { field, value } })),
      count: findings[id - 1]!.count,
    }),
    groups: async (id, field) => ({
      ...(await groupsOf(evidenceIn(report, id), field)),
      count: findings[id - 1]!.count,
    }),
    exported: (id, format) => blobOf(exportOf(evidenceIn(report, id), format)),
    gathering: null,
    why: async (id, { among, place }, signal) => {
      const event =
        among === 'all' ? await matchAt(evidenceIn(report, id), place) : (await samplesOf(samples, id))[place];
      if (!event) return toWhyNot(place, whyNot.noEvent);
      return explainHere(await textOf(rules, id - 1), { place, fields: event.fields }, signal);
    },
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
export function csvOf({ findings, authors }: LocalReport): Blob {
  const rows = findings.map((row) => ({ ...row, rule_author: authors[row.id - 1] ?? null, found_by: [row.tool] }));
  return new Blob([findingsCsv(rows)], { type: 'text/csv' });
}

/** The techniques of the findings, for the ATT&CK Navigator. */
export function navigatorLayer({ findings }: LocalReport, fileName: string): MitreLayer {
  const description = `Techniques of the Sigma rules that matched in ${fileName}, scored by matched events`;
  return mitreLayer({ name: fileName, description }, findings);
}

function findingOf(row: FindingRow, ruleAuthor: string | null): Parameters<typeof toExportedFinding>[0] {
  const { tool: engine, rule_id: ruleId, rule_name: ruleName, severity, count, tags } = row;
  const { suppressed = 0 } = row;
  return {
    jobId: 0,
    engine,
    ruleId,
    ruleName,
    ruleAuthor,
    severity,
    count,
    suppressed,
    tags,
    events: [],
    foundBy: [engine],
  };
}

function evidenceIn({ findings, matches, tasks }: LocalReport, id: number): Evidence {
  const { rule_id: ruleId, rule_name: ruleName } = findings[id - 1]!;
  const { blob, complete } = matches[tasks[id - 1]!]!;
  return { from: 'kept', complete, batches: (skip) => matchesIn(slicesOf(blob), { ruleId, ruleName }, skip) };
}

/** Parts of some size become blobs at once, so that the browser may put them out of memory. */
async function blobOf(content: AsyncIterable<Uint8Array>): Promise<Blob> {
  const parts: Blob[] = [];
  for await (const part of content) parts.push(new Blob([part as BlobPart]));
  return new Blob(parts);
}

async function* slicesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += sliceBytes) {
    yield new Uint8Array(await blob.slice(at, at + sliceBytes).arrayBuffer());
  }
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

import { problemOf, type TriagePlan } from '@svc/contracts';
import { emptySummary, jobErrorTexts, severityRank, type Severity } from '@svc/domain';
import {
  analyze,
  readableTypes,
  rulesOf,
  unpackRules,
  type DeriveOptions,
  type FoundSoFar,
  type RuleSet,
} from '@svc/engine';
import { grouped } from '@svc/application/report/shown/engine-output.ts';
import { blobSource } from './blob-source.ts';
import { makeReport, type TaskAnalysis } from './make-report.ts';
import type { FoundRule, LocalReport, TriageMessage, TriageProgress, TriageRequest } from './messages.ts';

/** Between two reports of progress. */
const intervalMs = 150;
const mostTold = 12;
/** Bytes of matched events that are kept of a task. */
const mostRaw = 64 * 1024 * 1024;

const tell = (message: TriageMessage): void => postMessage(message);

/** Analyses the one log that it is given. */
addEventListener('message', ({ data }: MessageEvent<TriageRequest>) => {
  run(data).then(tell, (error: unknown) => {
    tell({ at: 'failed', code: 'tasks_failed', message: error instanceof Error ? error.message : String(error) });
  });
});

async function run({ file, logType, plan }: TriageRequest): Promise<TriageMessage> {
  if (plan.tasks.length === 0 || !readableTypes.some((type) => type === logType)) {
    return { at: 'failed', code: 'no_task_ran', message: jobErrorTexts.no_task_ran };
  }
  const startedAt = performance.now();
  const tasks: TaskAnalysis[] = [];
  for (const [place, task] of plan.tasks.entries()) {
    const given = unpackRules(await rulesAt(task.rules_url));
    const rules = await rulesOf(blobSource(file), { rules: given, logType });
    const watch = new Watch(rules, { before: place * file.size, total: plan.tasks.length * file.size });
    const compiled = grouped(rules);
    const analysis = await analyze(blobSource(file), {
      rules,
      logType,
      maxSamples: task.max_finding_details,
      census: deriveOptions(plan),
      // Nothing is known of other logs here.
      derive: { ...deriveOptions(plan), groups: compiled.tactics, intel: false },
      raw: { maxBytes: mostRaw },
      onReading: watch.onReading,
      onProgress: watch.onProgress,
    });
    if (analysis.unread !== undefined) {
      return { at: 'failed', code: 'no_task_ran', message: `${jobErrorTexts.no_task_ran}. ${analysis.unread}` };
    }
    tasks.push({
      tool: analysis.toldBy ?? task.tool,
      analysis,
      grouped: compiled,
      maxFindingDetails: task.max_finding_details,
    });
  }
  const report = makeReport(logType, tasks, performance.now() - startedAt);
  await settled(report);
  return { at: 'done', report };
}

/** Compiled rules, which the browser keeps: what is at such an address never changes. */
async function rulesAt(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw await problemOf(response);
  const unpacked = response.body.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

function deriveOptions({ derive }: TriagePlan): Omit<DeriveOptions, 'groups'> {
  // The service serves what its own engine takes.
  return derive as unknown as Omit<DeriveOptions, 'groups'>;
}

/** Waits until the browser has the bytes of all blobs, which it may still be taking from this worker. */
async function settled({ samples, rules, derived, matches }: LocalReport): Promise<void> {
  const shown = derived === null ? [] : [derived.analytics, derived.processTree, derived.alerts];
  const blobs = [samples.blob, rules.blob, ...matches.map(({ blob }) => blob), ...shown];
  await Promise.all(blobs.map((blob) => blob.slice(-1).arrayBuffer()));
}

/** Tells a few times a second how far the analysis is. */
class Watch {
  readonly #rules: RuleSet;
  readonly #bytes: { readonly before: number; readonly total: number };
  #toldAt = 0;
  /** Of logs of an archive that are done. */
  #earlier: FoundSoFar = { events: 0, matches: [] };
  #ask: () => FoundSoFar = () => ({ events: 0, matches: [] });

  constructor(rules: RuleSet, bytes: { before: number; total: number }) {
    this.#rules = rules;
    this.#bytes = bytes;
  }

  readonly onReading = (ask: () => FoundSoFar): void => {
    this.#earlier = joined(this.#earlier, this.#ask());
    this.#ask = ask;
  };

  readonly onProgress = (bytesDone: number): void => {
    const now = performance.now();
    if (now - this.#toldAt < intervalMs) return;
    this.#toldAt = now;
    tell({ at: 'reading', progress: this.#progress(bytesDone) });
  };

  #progress(bytesDone: number): TriageProgress {
    const { events, matches } = joined(this.#earlier, this.#ask());
    const summary: Record<Severity, number> = { ...emptySummary };
    const found = matches.map(({ rule, count }): FoundRule => {
      const { title, level } = this.#rules.rules[rule]!;
      summary[level] += count;
      return { name: title, severity: level, count };
    });
    found.sort((a, b) => severityRank(a.severity) - severityRank(b.severity) || b.count - a.count);
    const { before, total } = this.#bytes;
    return { done: before + bytesDone, total, events, rules: found.length, summary, top: found.slice(0, mostTold) };
  }
}

function joined(one: FoundSoFar, other: FoundSoFar): FoundSoFar {
  const counts = new Map(one.matches.map(({ rule, count }) => [rule, count]));
  for (const { rule, count } of other.matches) counts.set(rule, (counts.get(rule) ?? 0) + count);
  const matches = [...counts].map(([rule, count]) => ({ rule, count }));
  return { events: one.events + other.events, matches };
}

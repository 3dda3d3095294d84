import type { LoadedRules } from '@svc/engine';
import { resolve } from 'node:path';
import { analyzeInputs, type AnalyzeInputsOptions } from '../analysis/analyze-inputs.ts';
import { RunRecord } from '../analysis/run-record.ts';
import type { AnalyzeCommand } from '../arguments.ts';
import type { FileError } from '../file-error.ts';
import { skippedLines, StatisticsCollector } from '../formats/statistics.ts';
import { styleFor } from '../formats/style.ts';
import { mostReports, summary } from '../formats/summary.ts';
import { counted } from '../formats/text.ts';
import { toldOf } from '../formats/told.ts';
import { usualEvents, writerFor, type WriterOptions } from '../formats/writers.ts';
import { findInputs, type FoundInputs } from '../inputs/find-inputs.ts';
import { isArchive } from '../inputs/open-input.ts';
import { spoolOf } from '../inputs/spool.ts';
import { type Interruption, watchInterruption } from '../interruption.ts';
import { fileOutput, type Output, standardOutput } from '../output.ts';
import { type Progress, progressOn } from '../progress.ts';
import { rulesFrom } from '../read-rules.ts';
import type { AnalyzedLog, Run, RunContext } from '../report.ts';
import type { Terminal } from '../terminal.ts';

/** What the steps of one call share. */
interface Call {
  readonly command: AnalyzeCommand;
  readonly terminal: Terminal;
  readonly progress: Progress;
  readonly context: RunContext;
  readonly interruption: Interruption;
}

/** Analyses files, folders, patterns and standard input, and reports on them; resolves to the exit code. */
export async function analyzeFiles(command: AnalyzeCommand, terminal: Terminal): Promise<number> {
  const progress = progressOn(terminal, command.quiet);
  const context = await contextOf(command, progress);
  if (context.rules.loaded === 0) terminal.err('svc: no rule is usable, so nothing is looked for\n');
  const interruption = watchInterruption();
  const spool = spoolOf(terminal.input);
  let output: Output | undefined;
  try {
    const found = await findInputs(command.paths, () => spool.fill(interruption.signal));
    output = command.output === undefined ? standardOutput(terminal) : await fileOutput(command.output);
    const call = { command, terminal, progress, context, interruption };
    return await analyzeFound(call, withoutOutput(found, command.output), output);
  } catch (error) {
    const exitCode = interruption.exitCode();
    if (exitCode === undefined) throw error;
    return exitCode;
  } finally {
    progress.clear();
    await output?.discard();
    await spool.remove();
    interruption.close();
  }
}

/** A report of an earlier call, found where it is to be replaced, is no log. */
function withoutOutput(found: FoundInputs, output: string | undefined): FoundInputs {
  if (output === undefined) return found;
  const inputs = found.inputs.filter(({ path, isNamed }) => isNamed || resolve(path) !== resolve(output));
  return { ...found, inputs };
}

/** Loads the rules; until then an interruption ends the program as it does any. */
async function contextOf(command: AnalyzeCommand, progress: Progress): Promise<RunContext> {
  const { rules: paths, placeholders, period, stats } = command;
  progress.say('loading rules …');
  const started = performance.now();
  try {
    const rules: LoadedRules = await rulesFrom(paths, placeholders);
    return { rules, rulesMs: Math.round(performance.now() - started), period, stats };
  } finally {
    progress.clear();
  }
}

async function analyzeFound(call: Call, found: FoundInputs, output: Output): Promise<number> {
  const { command, progress, context, interruption } = call;
  const writer = writerFor(command.format, await writerOptions(call, found));
  const record = new RunRecord(context);
  const statistics = new StatisticsCollector();
  const write = async (texts: Iterable<string>): Promise<void> => {
    for (const text of texts) {
      progress.clear();
      await output.write(text);
    }
  };
  let logs = 0;
  await write(writer.begin());
  await analyzeAll(call, found, record, async (log) => {
    if (command.stats) statistics.add(log);
    await write(writer.add(await withSentences(command, log, ++logs)));
  });
  const run = record.end(interruption.signal.aborted);
  await write(writer.end(run));
  if (!run.isInterrupted) await output.commit();
  conclude(call, run, statistics, writer.notes());
  return interruption.exitCode() ?? (context.rules.loaded > 0 && run.failed.length === 0 && run.analyzed > 0 ? 0 : 2);
}

async function writerOptions(call: Call, { inputs, isList }: FoundInputs): Promise<WriterOptions> {
  const { command, context, terminal } = call;
  const { width, colour } = command.output === undefined ? terminal : { width: Infinity, colour: false };
  const [first] = inputs;
  return {
    context,
    isList: isList || (first !== undefined && (await isArchive(first))),
    isQuiet: command.quiet,
    width,
    style: styleFor(colour),
  };
}

/** People are told of few logs one by one, in sentences too. */
async function withSentences({ format }: AnalyzeCommand, log: AnalyzedLog, nth: number): Promise<AnalyzedLog> {
  return format === 'table' && nth <= mostReports ? { ...log, told: await toldOf(log.analysis) } : log;
}

/** Until the inputs are done or the user has had enough. */
async function analyzeAll(
  call: Call,
  { inputs, failures }: FoundInputs,
  record: RunRecord,
  analyzed: (log: AnalyzedLog) => Promise<void>,
): Promise<void> {
  const { terminal, progress, interruption } = call;
  const failed = (error: FileError): void => {
    progress.clear();
    terminal.err(`svc: ${error.message}\n`);
    record.failed.push(error);
  };
  failures.forEach(failed);
  progress.begin(inputs);
  try {
    await analyzeInputs(inputs, engineOptions(call, inputs.length), {
      analyzed: async (log) => {
        record.add(log);
        await analyzed(log);
      },
      skipped: (name) => void record.skipped.push(name),
      failed,
      progress: (...state) => progress.update(...state),
    });
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
  }
}

function engineOptions({ command, context, interruption }: Call, inputs: number): AnalyzeInputsOptions {
  const { format, logType, logSource, maxEvents, level, period, threads, stats } = command;
  return {
    rules: context.rules.rules,
    logType,
    maxSamples: maxEvents ?? usualEvents[format],
    level,
    ...(logSource !== undefined && { logSource }),
    ...(period !== undefined && { period }),
    ...(threads !== undefined && { threads }),
    statistics: stats,
    ...(format === 'table' && { census: {} }),
    digest: format.startsWith('json') || (format === 'table' && inputs <= mostReports),
    signal: interruption.signal,
  };
}

/** What is said apart from the report itself. */
function conclude(call: Call, run: Run, statistics: StatisticsCollector, notes: readonly string[]): void {
  const { command, terminal } = call;
  const nothing = run.analyzed + run.failed.length === 0 && !run.isInterrupted;
  if (nothing) terminal.err(`svc: none of ${counted(run.skipped.length, 'file')} is a known log\n`);
  if (!command.quiet) for (const note of notes) terminal.err(`svc: ${note}\n`);
  if (command.stats) {
    const place = { width: terminal.statusWidth || Infinity, style: styleFor(false) };
    const isJson = command.format.startsWith('json');
    const lines = [...(isJson ? [] : statistics.lines(run, place)), ...skippedLines(run)];
    terminal.err(lines.map((line) => `${line}\n`).join(''));
  }
  if (command.output !== undefined && !command.quiet) {
    const place = { width: terminal.width, style: styleFor(terminal.colour) };
    terminal.out(`${summary(run, place, { withRules: true }).join('\n')}\n`);
  }
}

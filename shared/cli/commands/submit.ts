import { operations, RequestError, type Workflow } from '@svc/contracts';
import { UsageError } from '../argument-values.ts';
import { FileError } from '../file-error.ts';
import { batchText, submissionsTable } from '../formats/submissions.ts';
import { styleFor } from '../formats/style.ts';
import { counted, number } from '../formats/text.ts';
import { findInputs, type Input } from '../inputs/find-inputs.ts';
import { type Interruption, watchInterruption } from '../interruption.ts';
import { type Progress, progressOn } from '../progress.ts';
import type { SubmitCommand } from '../service-arguments.ts';
import { persist } from '../service/persist.ts';
import { readCredentials } from '../service/read-credentials.ts';
import { ConnectionError, CredentialsError } from '../service/service-error.ts';
import { Service } from '../service/service.ts';
import { batchOf } from '../submission/batch.ts';
import { Board } from '../submission/board.ts';
import { chooseCase } from '../submission/choose-case.ts';
import { exitCodeFor, exitCodeOf, exitCodes } from '../submission/exit-code.ts';
import type { Outcome } from '../submission/outcome.ts';
import { type DetectLogType, submitAll, type SubmitReport, type SubmittedFiles } from '../submission/submit-all.ts';
import type { Terminal } from '../terminal.ts';

/** Characters in a line with all that is told of a file. */
const leastWidth = 120;

/** What the steps of one call share. */
interface Call {
  readonly command: SubmitCommand;
  readonly terminal: Terminal;
  readonly progress: Progress;
  readonly interruption: Interruption;
  readonly detectLogType: DetectLogType;
}

/** Submits files to a service and prints what it found in them; resolves to the exit code. */
export async function submitFiles(
  command: SubmitCommand,
  terminal: Terminal,
  detectLogType: DetectLogType,
): Promise<number> {
  const progress = progressOn(terminal, command.quiet);
  const interruption = watchInterruption();
  const call = { command, terminal, progress, interruption, detectLogType };
  try {
    const service = new Service(await readCredentials(command, process.env));
    const { inputs, failures } = await findInputs(command.paths, () =>
      Promise.reject(new FileError('-: a log without a name cannot be submitted; name a file')),
    );
    for (const { message } of failures) terminal.err(`svc: ${message}\n`);
    if (inputs.length === 0) return 2;
    const submitted = await submitFound(call, service, inputs);
    const code = conclude(call, submitted, inputs.length);
    if (command.format === 'table' && submitted.stopped === null) await tellBatch(call, service, submitted);
    return interruption.exitCode() ?? (code === 0 && failures.length > 0 ? exitCodes.incomplete : code);
  } catch (error) {
    const exitCode = interruption.exitCode();
    if (exitCode !== undefined) return exitCode;
    if (!isOfService(error)) throw error;
    progress.clear();
    terminal.err(`svc: ${error.message}\n`);
    return exitCodeOf(error);
  } finally {
    progress.clear();
    interruption.close();
  }
}

async function submitFound(call: Call, service: Service, inputs: readonly Input[]): Promise<SubmittedFiles> {
  const { command, terminal, progress, interruption, detectLogType } = call;
  const workflows = await workflowsOf(service, interruption.signal);
  const workflow = command.workflow === undefined ? null : namedWorkflow(command.workflow, workflows);
  const caseId = await chooseCase(service, command.case, interruption.signal);
  const say = (text: string): void => {
    progress.clear();
    if (!command.quiet) terminal.err(`svc: ${text}\n`);
  };
  const report: SubmitReport = {
    board: new Board(progress, inputs),
    settled: async (outcome) => {
      progress.clear();
      if (outcome.error !== null && !interruption.signal.aborted) terminal.err(`svc: ${problemOf(outcome)}\n`);
      if (command.format !== 'jsonl') return;
      terminal.out(`${JSON.stringify(outcome)}\n`);
      await terminal.drained();
    },
    say,
  };
  return submitAll(
    service,
    inputs,
    { ...command, workflows, workflow, caseId, detectLogType },
    report,
    interruption.signal,
  );
}

/** Whoever mistypes the address is not to wait: here a lost connection is the end. */
async function workflowsOf(service: Service, signal: AbortSignal): Promise<readonly Workflow[]> {
  const once = async () => {
    try {
      return await service.call(operations.listWorkflows, {}, { signal });
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      throw new ConnectionError(error.message, { cause: error, isFinal: true });
    }
  };
  return (await persist(once, { signal })).workflows;
}

/** By id or name; throws a `UsageError`. */
function namedWorkflow(asked: string, workflows: readonly Workflow[]): Workflow {
  const found = workflows.find(({ id, name }) => String(id) === asked || name.toLowerCase() === asked.toLowerCase());
  if (found !== undefined) return found;
  const names = workflows.map(({ id, name }) => `${id} “${name}”`);
  throw new UsageError(`There is no workflow "${asked}"; there are ${names.join(', ')}`);
}

function problemOf({ file, status, error }: Outcome): string {
  return status === 'not_submitted' ? `${file}: ${error}` : `${file}: its analysis is ${status}: ${error}`;
}

/** Prints what became of the files and how to go on; gives the exit code. */
function conclude(
  { command, terminal, progress, interruption }: Call,
  submitted: SubmittedFiles,
  files: number,
): number {
  const { outcomes, stopped } = submitted;
  progress.clear();
  // Addresses are to be copied: rather than in part they are shown on a second line.
  const place = { width: Math.max(terminal.width, leastWidth), style: styleFor(terminal.colour) };
  if (command.format === 'table') terminal.out(submissionsTable(outcomes, place));
  if (command.format === 'json') terminal.out(`${JSON.stringify(outcomes, null, 2)}\n`);
  const passedOver = files - outcomes.length;
  if (outcomes.length === 0) terminal.err(`svc: none of ${counted(files, 'file')} is a known log\n`);
  else if (passedOver > 0 && !command.quiet)
    terminal.err(`svc: ${counted(passedOver, 'file')} passed over: no known log\n`);
  if (interruption.signal.aborted || stopped !== null) terminal.err(`svc: ${howToGoOn(outcomes, command)}\n`);
  return outcomes.length === 0 ? 2 : exitCodeFor(submitted, command);
}

/** What several files came to together, and where that stays. */
async function tellBatch(
  { command, terminal, interruption }: Call,
  service: Service,
  { outcomes }: SubmittedFiles,
): Promise<void> {
  const batch = await batchOf(service, outcomes, { wait: command.wait, signal: interruption.signal });
  if (typeof batch === 'string') terminal.err(`svc: ${batch}\n`);
  else if (batch !== null) terminal.out(batchText(batch));
}

function howToGoOn(outcomes: readonly Outcome[], { force }: SubmitCommand): string {
  const done = outcomes.filter(({ job_id: id }) => id !== null).length;
  const there = `${number(done)} of ${counted(outcomes.length, 'file')} submitted; their analysis goes on.`;
  return force
    ? `${there} The same command would analyse them again: name only the others`
    : `${there} The same command goes on from there, and submits nothing twice`;
}

function isOfService(error: unknown): error is Error {
  return error instanceof ConnectionError || error instanceof CredentialsError || error instanceof RequestError;
}

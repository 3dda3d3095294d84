import { AppError, hasRole, type Actor, type AiProvider, type AiRun } from '@svc/domain';
import { tell } from '../happenings/tell.ts';
import type { ModelRequest } from '../ports/model-client.ts';
import type { Ports } from '../ports/ports.ts';
import { aiTokenPlace } from './ai-provider-store.ts';
import type { AiRunNote, EndedAiRun } from './ai-run-repository.ts';
import { buildPrompt } from './build-prompt.ts';
import type { Prompt, PromptPorts, Pseudonym } from './prompt.ts';

export type JournalPorts = PromptPorts &
  Pick<Ports, 'accounts' | 'aiProviders' | 'aiRuns' | 'clock' | 'secretBox' | 'settings' | 'transaction'>;

/** A run that was begun: all that whoever asks the model has to know. */
export interface BegunAiRun {
  readonly provider: string;
  readonly request: ModelRequest;
  readonly promptChars: number;
  readonly omissions: readonly string[];
  readonly pseudonyms: readonly Pseudonym[];
  readonly mostLogBytes: number;
}

/** What whoever asks a model tells those who keep its run. */
export interface AiJournal {
  /** Null when there is nothing to do: it was begun before, stopped, or waited for too long. */
  begin(runId: number): Promise<BegunAiRun | null>;
  /** False when it is to stop. */
  note(runId: number, note: AiRunNote): Promise<boolean>;
  end(runId: number, ended: EndedAiRun): Promise<void>;
}

/** Keeps runs where the database is. */
export function aiJournal(ports: JournalPorts): AiJournal {
  const { aiRuns, deployment } = ports;
  return {
    begin: (runId) => begin(ports, runId),
    note: (runId, note) => aiRuns.note(runId, note, deployment.maxLogOutputBytes),
    end: async (runId, ended) => {
      await endAiRun(ports, runId, ended);
    },
  };
}

/** Why a run ends before its model is asked. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun';
}

async function begin(ports: JournalPorts, runId: number): Promise<BegunAiRun | null> {
  const { aiRuns, clock, deployment, settings } = ports;
  const run = await aiRuns.get(runId);
  const now = clock.now();
  if (run?.status !== 'pending') return null;
  // It stays as it is (service 3.2), and is shown as stalled.
  if (now.getTime() - run.createdAt.getTime() > deployment.queueExpirySeconds * 1000) return null;
  if (!(await settings.current()).showAiAnalysis) {
    await endAiRun(ports, runId, failedRun(clock.now(), 'AI analysis was switched off before this run began'));
    return null;
  }
  if (!(await aiRuns.begin(runId, now))) return null;
  try {
    return await prepared(ports, run);
  } catch (error) {
    const reason = error instanceof NotBegun || error instanceof AppError ? error.message : null;
    const message = reason ?? `The brief could not be made (${error instanceof Error ? error.name : 'unknown'})`;
    await endAiRun(ports, runId, failedRun(clock.now(), message));
    if (reason === null) throw error;
    return null;
  }
}

async function prepared(ports: JournalPorts, run: AiRun): Promise<BegunAiRun> {
  const { aiRuns, clock, deployment, settings } = ports;
  const provider = run.providerId === null ? null : await ports.aiProviders.get(run.providerId);
  if (provider === null) throw new NotBegun('The provider was deleted before this run began');
  if (!provider.isEnabled) throw new NotBegun('The provider was switched off before this run began');
  const viewer = await starterOf(ports, run);
  const prompt = await buildPrompt(ports, { kind: run.subject, id: run.subjectId, provider, viewer });
  const token = await tokenOf(ports, provider);
  const promptChars = prompt.system.length + prompt.user.length;
  const { showAiPrompt } = await settings.current();
  await aiRuns.sending(run.id, {
    promptChars,
    prompt: showAiPrompt ? prompt : null,
    sources: run.subject === 'case' ? prompt.sourceJobs : [],
    at: clock.now(),
  });
  return {
    provider: provider.name,
    request: requestOf(provider, prompt, token),
    promptChars,
    omissions: prompt.omissions,
    pseudonyms: prompt.pseudonyms,
    mostLogBytes: deployment.maxLogOutputBytes,
  };
}

/** Whoever started it, as they are now. */
async function starterOf({ accounts }: JournalPorts, { requestedBy }: AiRun): Promise<Actor> {
  const account = requestedBy === null ? null : await accounts.get(requestedBy);
  const actor: Actor | null =
    account?.isActive === true
      ? { kind: 'account', userId: account.id, email: account.email, role: account.role, ip: '' }
      : null;
  if (actor === null || !hasRole(actor, 'member')) {
    throw new NotBegun('Whoever started this run may not have runs made any more');
  }
  return actor;
}

/** Null where the provider has none. */
export async function tokenOf(
  { aiProviders, secretBox }: Pick<Ports, 'aiProviders' | 'secretBox'>,
  { id }: Pick<AiProvider, 'id'>,
): Promise<string | null> {
  const sealed = await aiProviders.sealedToken(id);
  const token = sealed === null ? null : await secretBox.open(sealed, aiTokenPlace(id));
  if (sealed !== null && token === null) {
    throw new NotBegun('The token of the provider cannot be read any more: give it a new one');
  }
  return token;
}

export function requestOf(
  provider: AiProvider,
  { system, user }: Pick<Prompt, 'system' | 'user'>,
  token: string | null,
): ModelRequest {
  const { kind, baseUrl, model, temperature, maxOutputTokens, timeoutSeconds } = provider;
  return { kind, baseUrl, model, temperature, maxOutputTokens, timeoutSeconds, token, system, user };
}

/** How a run ends whose model was never asked. */
export function failedRun(at: Date, errorMessage: string): EndedAiRun {
  const nothing = { inputTokens: null, outputTokens: null, durationMs: null };
  return { status: 'failed', content: '', errorMessage, log: `${at.toISOString()} ${errorMessage}\n`, at, ...nothing };
}

/** How a run ends that somebody has stopped. */
export function stoppedRun(at: Date): EndedAiRun {
  const nothing = { errorMessage: null, log: null, inputTokens: null, outputTokens: null, durationMs: null };
  return { status: 'cancelled', content: '', at, ...nothing };
}

/** Ends a run that has not ended, and has those told who watch its job; of one that was stopped nobody is. */
export async function endAiRun(
  { transaction }: Pick<Ports, 'transaction'>,
  runId: number,
  ended: EndedAiRun,
): Promise<boolean> {
  return transaction(async (tx) => {
    const run = await tx.aiRuns.get(runId);
    if (run === null) return false;
    const isTold = run.subject === 'job' && ended.status !== 'cancelled';
    // Of a job that is removed meanwhile the run is, too.
    if (isTold && (await tx.jobs.hold([run.subjectId])).length === 0) return false;
    if (!(await tx.aiRuns.end(runId, ['pending', 'running'], ended))) return false;
    if (isTold) {
      const subject = { kind: 'job', id: run.subjectId } as const;
      await tell(tx, { kind: 'ai_run_ended', subject, by: run.requestedBy, at: ended.at, runId });
    }
    return true;
  });
}

import type { AiRun as Sent, AiRunHead } from '@svc/contracts';
import { hasRole, isStalled, ownsAiRun, publicName, type Actor, type AiRun } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

export type PresentPorts = Pick<Ports, 'accounts' | 'aiRuns' | 'clock' | 'deployment' | 'settings'>;

/** Runs as their viewer may see them in a list. */
export async function presentHeads(
  { accounts, clock, deployment }: PresentPorts,
  viewer: Actor,
  runs: readonly AiRun[],
): Promise<AiRunHead[]> {
  const names = new Map<string, string>();
  for (const id of new Set(runs.flatMap(({ requestedBy }) => requestedBy ?? []))) {
    const account = await accounts.get(id);
    if (account !== null) names.set(id, publicName(account));
  }
  const { queueExpirySeconds } = deployment;
  const now = clock.now();
  return runs.map((run) => {
    const name = run.requestedBy === null ? undefined : names.get(run.requestedBy);
    return {
      id: run.id,
      provider_id: run.providerId,
      provider_name: run.providerName,
      model: run.model,
      status: run.status,
      error_message: run.errorMessage,
      requested_by: name === undefined ? null : { id: run.requestedBy!, name },
      prompt_chars: run.promptChars,
      input_tokens: run.inputTokens,
      output_tokens: run.outputTokens,
      duration_ms: run.durationMs,
      created_at: run.createdAt.toISOString(),
      finished_at: run.finishedAt?.toISOString() ?? null,
      stalled: isStalled(run, { now, queueExpirySeconds }),
      is_own: ownsAiRun(run, viewer),
    };
  });
}

export async function presentHead(ports: PresentPorts, viewer: Actor, run: AiRun): Promise<AiRunHead> {
  const [head] = await presentHeads(ports, viewer, [run]);
  return head!;
}

/** A run with its answer; with its log for administrators, and with what it sent for them and who started it. */
export async function presentRun(ports: PresentPorts, viewer: Actor, run: AiRun): Promise<Sent | null> {
  const progress = await ports.aiRuns.progress(run.id, 0);
  if (progress === null) return null;
  const head = await presentHead(ports, viewer, progress.run);
  const { showAiPrompt } = await ports.settings.current();
  const sent = showAiPrompt && head.is_own ? await ports.aiRuns.sent(run.id) : null;
  const isOfCase = run.subject === 'case';
  return {
    ...head,
    content: progress.rest,
    prompt: sent && { system: sent.system, user: sent.user },
    pseudonyms: sent && [...sent.pseudonyms],
    omissions: sent && [...sent.omissions],
    log_output: hasRole(viewer, 'admin') ? progress.log : null,
    source_jobs: isOfCase ? [...(await ports.aiRuns.sources(run.id))] : null,
    evidence_captured_at: isOfCase ? (progress.run.evidenceCapturedAt?.toISOString() ?? null) : null,
    source_deleted_at: isOfCase ? (progress.run.sourceDeletedAt?.toISOString() ?? null) : null,
  };
}

import type { AiRunSubject } from '@svc/application/ai/ai-run-repository.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Area, OperationName } from '@svc/contracts';
import { randomUUID } from 'node:crypto';

/** Nothing has this id. */
export const none = 2_000_000_000;

interface About {
  readonly name: OperationName;
  readonly job: number;
  /** Where the run is over a case with the job. */
  readonly caseId: number | undefined;
  /** What the run was asked of. */
  readonly model: string;
}

/** A provider, and a run of the owner's over a job or a case that only who sees the job may read: one that waits, where it is to be stopped. */
export async function anyAiRun(ports: Ports, area: Area, { name, job, caseId, model }: About) {
  if (area !== 'ai') return { provider: none, run: none };
  const [at, owner] = [new Date(), (await ports.accounts.findByEmail('owner@example.org'))!];
  // There may be so many.
  for (const { id } of await ports.aiProviders.all()) await ports.aiProviders.remove(id);
  const limits = { jobMaxPromptChars: null, caseMaxPromptChars: null, timeoutSeconds: 5, maxOutputTokens: 1 };
  const said = { systemPrompt: null, caseSystemPrompt: null, pseudonyms: null, notes: '', temperature: 0 };
  const where = { kind: 'openai', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' } as const;
  const provider = await ports.aiProviders.add(
    { name: randomUUID(), ...where, ...limits, ...said, isEnabled: true },
    at,
  );
  if (job === none) return { provider, run: none };
  await ports.settings.change({ showAiAnalysis: true });
  const of = caseId === undefined ? { subject: 'job', subjectId: job } : { subject: 'case', subjectId: caseId };
  const told = { id: provider, name: 'model', model, timeoutSeconds: 5 };
  const run = await ports.aiRuns.add({ ...(of as AiRunSubject), provider: told, requestedBy: owner.id, at });
  if (caseId !== undefined) await ports.aiRuns.sending(run, { promptChars: 1, prompt: null, sources: [job], at });
  const how = { content: '', errorMessage: null, log: null, inputTokens: null, outputTokens: null, durationMs: 1, at };
  if (!name.startsWith('cancel')) await ports.aiRuns.end(run, ['pending'], { status: 'completed', ...how });
  return { provider, run };
}

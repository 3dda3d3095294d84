import type { Actor, AiProvider } from '@svc/domain';
import { omissionLines, type Brief } from './brief/budgeted.ts';
import { caseBrief } from './brief/case-brief.ts';
import { gatherCase, gatherJob } from './brief/gather-facts.ts';
import { jobBrief } from './brief/job-brief.ts';
import type { JobFacts } from './brief/job-facts.ts';
import type { Prompt, PromptPorts, PromptWish } from './prompt.ts';
import { hidesNames } from './pseudonyms/hides-names.ts';
import { knownNames, type KnownNames } from './pseudonyms/known-names.ts';
import { pseudonymise } from './pseudonyms/pseudonymise.ts';
import { defaultSystemPrompts, standInNote } from './system-prompts.ts';

/** Tags by which people say that an address or a domain is of their own network. */
const ownTags: ReadonlySet<string> = new Set(['internal', 'own', 'ours', 'asset']);
/** Addresses and domains of a job that are looked up for their tags. */
const mostTagged = 200;

/** What a model is asked about a job or a case (resolved-platform 18.3), of what its reader sees of it. */
export async function buildPrompt(ports: PromptPorts, { kind, id, provider, viewer }: PromptWish): Promise<Prompt> {
  const budget = budgetOf(provider, kind) ?? ports.deployment.ai.maxPromptChars;
  const facts = kind === 'job' ? await gatherJob(ports, viewer, id) : await gatherCase(ports, viewer, id);
  const jobs = 'jobs' in facts ? facts.jobs : [facts];
  const briefOf = (most: number): Brief => ('jobs' in facts ? caseBrief(facts, most) : jobBrief(facts, most));
  const hides = hidesNames(provider);
  const own = (kind === 'job' ? provider.systemPrompt : provider.caseSystemPrompt) ?? defaultSystemPrompts[kind];
  const { brief, text, pseudonyms } = hides
    ? hidden(briefOf, budget, { ...knownNames(jobs), marked: await markedOwn(ports, viewer, jobs) })
    : { ...shown(briefOf(budget)), pseudonyms: [] };
  return {
    system: pseudonyms.length > 0 ? `${own}\n\n${standInNote}` : own,
    user: text,
    omissions: omissionLines(brief.omitted),
    pseudonyms,
    sourceJobs: jobs.map(({ job }) => job.job_id),
  };
}

function budgetOf(provider: AiProvider, kind: PromptWish['kind']): number | null {
  return kind === 'job' ? provider.jobMaxPromptChars : provider.caseMaxPromptChars;
}

function shown(brief: Brief): { readonly brief: Brief; readonly text: string } {
  return { brief, text: brief.text };
}

/** Stand-ins may be longer than what they stand for: then the brief has to be the shorter. */
function hidden(
  briefOf: (budget: number) => Brief,
  budget: number,
  names: KnownNames,
): ReturnType<typeof shown> & Pick<Prompt, 'pseudonyms'> {
  let most = budget;
  for (;;) {
    const brief = briefOf(most);
    const { text, pseudonyms } = pseudonymise(brief.text, names);
    if (text.length <= budget) return { brief, text, pseudonyms };
    // Nothing whole is left to take away.
    if (most < 500) return { brief, text: text.slice(0, budget), pseudonyms };
    most = Math.floor(most * Math.min(0.97, budget / text.length));
  }
}

/** Public addresses and domains of these jobs that are tagged as own. */
async function markedOwn(
  { seenBefore }: Pick<PromptPorts, 'seenBefore'>,
  viewer: Actor,
  jobs: readonly JobFacts[],
): Promise<string[]> {
  const marked = new Set<string>();
  for (const { job, file, analytics } of jobs) {
    const values = [
      ...(analytics?.frequent?.ip_address ?? []).map(({ value }) => ({ type: 'ip_address' as const, value })),
      ...(analytics?.frequent?.domain ?? []).map(({ value }) => ({ type: 'domain' as const, value })),
    ].slice(0, mostTagged);
    if (values.length === 0) continue;
    for (const known of await seenBefore.known(viewer, { id: job.job_id, fileId: file }, values))
      if (known?.entity.tags.some(({ name }) => ownTags.has(name))) marked.add(known.entity.value);
  }
  return [...marked];
}

import type { AiProvider } from '@svc/contracts';
import type { Deed } from '@svc/domain';
import { namesOf, targets, type Tellers } from './teller.ts';

function provider(what: string, summary: string, { id, name }: Pick<AiProvider, 'id' | 'name'>): Deed {
  return {
    action: `admin.provider.${what}`,
    target: ['ai_provider', id],
    summary: `${summary} the AI provider “${name}”`,
  };
}

/** Of AI providers and runs: names of the fields that were changed, and never a token. */
export const aiDeeds = {
  createAiProvider: ({ output }) => provider('create', 'Added', output),
  changeAiProvider: ({ input, output }) => ({
    ...provider('update', 'Changed', output),
    metadata: { fields: namesOf(input) },
  }),
  toggleAiProvider: ({ output }) => ({
    ...provider('toggle', output.enabled ? 'Switched on' : 'Switched off', output),
    metadata: { enabled: output.enabled },
  }),
  setDefaultAiProvider: ({ output }) => ({
    ...provider('update', 'Made the default', output),
    metadata: { fields: ['is_default'] },
  }),
  clearAiProviderToken: ({ output }) => provider('clear_token', 'Cleared the token of', output),
  duplicateAiProvider: ({ output }) => provider('duplicate', 'Copied another as', output),
  deleteAiProvider: ({ output }) => provider('delete', 'Deleted', output),
  testAiProvider: ({ input: { id }, output: { ok } }) => ({
    action: 'admin.provider.test',
    target: ['ai_provider', id],
    summary: 'Tested an AI provider',
    outcome: ok ? 'success' : 'failure',
  }),
  startJobAiRun: ({ input: { id }, output: { analysis_id: run } }) => ({
    action: 'job.ai_run',
    target: targets.job(id),
    summary: 'Started an AI analysis of a job',
    metadata: { run },
  }),
  startCaseAiRun: ({ input: { id }, output: { analysis_id: run } }) => ({
    action: 'intel.case.ai_run',
    target: targets.case(id),
    summary: 'Started an AI analysis of a case',
    metadata: { run },
  }),
  cancelJobAiRun: ({ input: { id, rid: run } }) => ({
    action: 'job.ai_run',
    target: targets.job(id),
    summary: 'Stopped an AI analysis of a job',
    metadata: { run, stopped: true },
  }),
  cancelCaseAiRun: ({ input: { id, rid: run } }) => ({
    action: 'intel.case.ai_run',
    target: targets.case(id),
    summary: 'Stopped an AI analysis of a case',
    metadata: { run, stopped: true },
  }),
  deleteJobAiRuns: ({ input: { id }, output: { deleted: count } }) => ({
    action: 'job.ai_run',
    target: targets.job(id),
    summary: 'Deleted AI analyses of a job',
    metadata: { deleted: count },
  }),
  deleteCaseAiRuns: ({ input: { id }, output: { deleted: count } }) => ({
    action: 'intel.case.ai_run',
    target: targets.case(id),
    summary: 'Deleted AI analyses of a case',
    metadata: { deleted: count },
  }),
} satisfies Partial<Tellers>;

import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { defaultSystemPrompts } from './system-prompts.ts';
import { presentProvider } from './present-provider.ts';

/** Providers, and what is used where one leaves something open. */
export async function listAiProviders(
  { aiProviders, deployment, settings }: Pick<Ports, 'aiProviders' | 'deployment' | 'settings'>,
  _actor: Actor,
): Promise<OutputOf<typeof operations.listAiProviders>> {
  return {
    providers: (await aiProviders.all()).map(presentProvider),
    defaults: {
      system_prompt: defaultSystemPrompts.job,
      case_system_prompt: defaultSystemPrompts.case,
      max_prompt_chars: deployment.ai.maxPromptChars,
    },
    feature_on: (await settings.current()).showAiAnalysis,
  };
}

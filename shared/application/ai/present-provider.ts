import type { AiProvider as Sent } from '@svc/contracts';
import type { AiProvider } from '@svc/domain';

/** A provider as administrators see it. */
export function presentProvider(provider: AiProvider): Sent {
  return {
    id: provider.id,
    name: provider.name,
    kind: provider.kind,
    base_url: provider.baseUrl,
    model: provider.model,
    has_token: provider.hasToken,
    system_prompt: provider.systemPrompt,
    case_system_prompt: provider.caseSystemPrompt,
    temperature: provider.temperature,
    max_output_tokens: provider.maxOutputTokens,
    job_max_prompt_chars: provider.jobMaxPromptChars,
    case_max_prompt_chars: provider.caseMaxPromptChars,
    timeout_seconds: provider.timeoutSeconds,
    pseudonyms: provider.pseudonyms,
    enabled: provider.isEnabled,
    is_default: provider.isDefault,
    notes: provider.notes,
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  };
}

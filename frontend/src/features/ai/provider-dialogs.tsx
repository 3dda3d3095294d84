import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { AiProvider, operations, OutputOf } from '@svc/contracts';
import { aiKinds, aiLimits } from '@svc/domain';
import type { ReactNode } from 'react';
import { aiProviderDeeds, useAiProviderDeed } from '../../api/ai-providers.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { kindNames } from './kind-names.ts';
import styles from './providers-page.module.css';

type Defaults = OutputOf<typeof operations.listAiProviders>['defaults'];

const plain = { withAsterisk: false, autoComplete: 'off' } as const;
const pseudonymChoices = [
  { value: 'auto', label: 'Unless the model is in our own network' },
  { value: 'true', label: 'Always' },
  { value: 'false', label: 'Never' },
];

/** All that is said of a provider; a new one with null. */
export function EditProvider(props: {
  provider: AiProvider | null;
  defaults: Defaults;
  onClose: () => void;
}): ReactNode {
  const { provider, defaults, onClose } = props;
  const create = useAiProviderDeed(aiProviderDeeds.create, onClose);
  const change = useAiProviderDeed(aiProviderDeeds.change, onClose);
  const save = (form: FormData) => {
    const said = fieldsOf(form);
    if (provider === null) create.mutate(said);
    else change.mutate({ id: provider.id, ...said });
  };
  const words = provider === null ? 'Add provider' : 'Save';
  return (
    <Dialog title={provider === null ? 'Add an AI provider' : `Change “${provider.name}”`} onClose={onClose}>
      <Form
        error={create.error ?? change.error}
        onSubmit={save}
        actions={<DialogButtons words={words} pending={create.isPending || change.isPending} onClose={onClose} />}
      >
        <TextInput
          {...plain}
          label="Name"
          name="name"
          required
          maxLength={aiLimits.name}
          defaultValue={provider?.name ?? ''}
          data-autofocus
        />
        <NativeSelect
          label="Kind"
          name="kind"
          defaultValue={provider?.kind ?? 'openai'}
          data={aiKinds.map((kind) => ({ value: kind, label: kindNames[kind] }))}
        />
        <TextInput
          {...plain}
          label="Base URL"
          name="base_url"
          required
          maxLength={aiLimits.baseUrl}
          placeholder="https://models.example.org/v1"
          defaultValue={provider?.base_url ?? ''}
        />
        <TextInput
          {...plain}
          label="Model"
          name="model"
          required
          maxLength={aiLimits.model}
          defaultValue={provider?.model ?? ''}
        />
        <TextInput
          label="API token"
          name="api_token"
          type="password"
          autoComplete="new-password"
          maxLength={aiLimits.token}
          description={tokenNote(provider)}
        />
        {provider?.has_token === true && <ClearToken id={provider.id} onDone={onClose} />}
        <NativeSelect
          label="Send stand-ins for names of hosts, people and addresses"
          name="pseudonyms"
          defaultValue={String(provider?.pseudonyms ?? 'auto')}
          data={pseudonymChoices}
        />
        <div className={styles.numbers}>
          <TextInput
            {...plain}
            label="Temperature"
            name="temperature"
            inputMode="decimal"
            required
            defaultValue={String(provider?.temperature ?? 0.2)}
          />
          <Count label="Max output tokens" name="max_output_tokens" value={provider?.max_output_tokens ?? 20_000} />
          <Count label="Timeout (seconds)" name="timeout_seconds" value={provider?.timeout_seconds ?? 300} />
          <Count
            label="Job brief (characters)"
            name="job_max_prompt_chars"
            value={provider?.job_max_prompt_chars ?? null}
            placeholder={String(defaults.max_prompt_chars)}
          />
          <Count
            label="Case brief (characters)"
            name="case_max_prompt_chars"
            value={provider?.case_max_prompt_chars ?? null}
            placeholder={String(defaults.max_prompt_chars)}
          />
        </div>
        <Prompt
          label="System prompt for jobs"
          name="system_prompt"
          value={provider?.system_prompt ?? null}
          own={defaults.system_prompt}
        />
        <Prompt
          label="System prompt for cases"
          name="case_system_prompt"
          value={provider?.case_system_prompt ?? null}
          own={defaults.case_system_prompt}
        />
        <Textarea label="Notes" name="notes" maxLength={aiLimits.notes} defaultValue={provider?.notes ?? ''} />
      </Form>
    </Dialog>
  );
}

function tokenNote(provider: AiProvider | null): string {
  if (provider?.has_token === true) return 'One is set. Leave this empty to keep it.';
  return 'Kept sealed and never shown again. Leave this empty for a model that asks for none.';
}

function ClearToken({ id, onDone }: { id: number; onDone: () => void }) {
  const clear = useAiProviderDeed(aiProviderDeeds.clearToken, onDone);
  return (
    <p className={styles.clear}>
      <LinkButton disabled={clear.isPending} onClick={() => clear.mutate(id)}>
        Forget the token
      </LinkButton>
    </p>
  );
}

function Count(props: { label: string; name: string; value: number | null; placeholder?: string }) {
  const { label, name, value, placeholder } = props;
  return (
    <TextInput
      {...plain}
      label={label}
      name={name}
      inputMode="numeric"
      pattern="[0-9]*"
      required={placeholder === undefined}
      placeholder={placeholder ?? ''}
      defaultValue={value === null ? '' : String(value)}
    />
  );
}

function Prompt({ label, name, value, own }: { label: string; name: string; value: string | null; own: string }) {
  return (
    <Textarea
      label={label}
      name={name}
      description="Empty for the product’s own, which is shown here."
      placeholder={own}
      rows={4}
      maxLength={aiLimits.systemPrompt}
      defaultValue={value ?? ''}
    />
  );
}

function fieldsOf(form: FormData) {
  const text = (name: string): string => fieldText(form, name);
  return {
    name: text('name'),
    kind: aiKinds.find((kind) => kind === text('kind')) ?? 'openai',
    base_url: text('base_url'),
    model: text('model'),
    api_token: text('api_token'),
    pseudonyms: text('pseudonyms'),
    temperature: text('temperature'),
    max_output_tokens: text('max_output_tokens'),
    timeout_seconds: text('timeout_seconds'),
    job_max_prompt_chars: text('job_max_prompt_chars'),
    case_max_prompt_chars: text('case_max_prompt_chars'),
    system_prompt: text('system_prompt'),
    case_system_prompt: text('case_system_prompt'),
    notes: text('notes'),
  };
}

/** Asks before a provider goes. */
export function DeleteProvider({ provider, onClose }: { provider: AiProvider; onClose: () => void }): ReactNode {
  const remove = useAiProviderDeed(aiProviderDeeds.remove, onClose);
  return (
    <Dialog title={`Delete “${provider.name}”?`} held={remove.isPending} onClose={onClose}>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate(provider.id)}
        actions={<DialogButtons words="Delete provider" dangerous pending={remove.isPending} onClose={onClose} />}
      >
        <p>Nobody can ask it any more, and its token is gone. What it has written stays, under its name.</p>
      </Form>
    </Dialog>
  );
}

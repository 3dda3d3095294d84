import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Button, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { call, operations } from '@svc/contracts';
import { alertRuleLimits, webhookLimits, webhookMethods } from '@svc/domain';
import { useMutation } from '@tanstack/react-query';
import { Failure } from '../../ui/form.tsx';
import type { RuleDraft, WebhookTemplateName } from './rule-draft.ts';
import styles from './rules.module.css';

const bodies: readonly { readonly value: WebhookTemplateName; readonly label: string }[] = [
  { value: 'svc', label: 'JSON of this product, signed' },
  { value: 'slack', label: 'Slack' },
  { value: 'teams', label: 'Microsoft Teams' },
  { value: 'discord', label: 'Discord' },
  { value: 'custom', label: 'JSON of your own' },
];

interface WebhookFieldsProps {
  readonly draft: RuleDraft;
  readonly hasSecret: boolean;
  /** The stored rule whose webhook can be tried; null for what is not saved. */
  readonly tried: number | null;
  readonly onChange: (changed: Partial<RuleDraft>) => void;
}

/** Where a rule tells of its matches beside the bell. */
export function WebhookFields({ draft, hasSecret, tried, onChange }: WebhookFieldsProps) {
  return (
    <details className={styles.webhook} open={draft.webhookUrl !== ''}>
      <summary>Webhook</summary>
      <div className={styles.fields}>
        <TextInput
          label="Address"
          description="An http or https address that is told of matches"
          type="url"
          value={draft.webhookUrl}
          maxLength={alertRuleLimits.url}
          placeholder="https://soc.example/alerts"
          autoComplete="off"
          onChange={({ currentTarget }) => onChange({ webhookUrl: currentTarget.value })}
        />
        <NativeSelect
          label="Method"
          value={draft.webhookMethod}
          data={[...webhookMethods]}
          onChange={({ currentTarget }) => onChange({ webhookMethod: currentTarget.value })}
        />
        <TextInput
          label="Headers"
          description="A JSON object, kept and exported in clear; the secret alone is protected"
          value={draft.webhookHeaders}
          maxLength={alertRuleLimits.headers}
          placeholder={'{"X-Team": "blue"}'}
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) => onChange({ webhookHeaders: currentTarget.value })}
        />
        <NativeSelect
          label="Body"
          description="What the receiver reads: JSON of this product, a message of a chat, or JSON of your own"
          value={draft.webhookTemplate}
          data={bodies}
          onChange={({ currentTarget }) =>
            // The cast is safe: the values are those of `bodies`.
            onChange({ webhookTemplate: currentTarget.value as WebhookTemplateName })
          }
        />
        {draft.webhookTemplate === 'custom' && (
          <Textarea
            label="JSON"
            description="Its texts can hold {{rule.name}}, {{summary}}, {{text}}, {{job.url}}, {{match_count}} and more, which the guide names"
            value={draft.webhookBody}
            maxLength={webhookLimits.template}
            rows={4}
            spellCheck={false}
            placeholder={'{"message": "{{summary}}"}'}
            onChange={({ currentTarget }) => onChange({ webhookBody: currentTarget.value })}
          />
        )}
        <TextInput
          label="Secret"
          description={
            hasSecret
              ? 'There is one, which signs each delivery; leave this empty to keep it'
              : 'Signs each delivery, so that the receiver knows who sent it'
          }
          type="password"
          value={draft.secret}
          maxLength={alertRuleLimits.secret}
          autoComplete="new-password"
          disabled={draft.clearsSecret}
          onChange={({ currentTarget }) => onChange({ secret: currentTarget.value })}
        />
        {hasSecret && (
          <Switch
            label="Remove the secret"
            checked={draft.clearsSecret}
            onChange={({ currentTarget }) => onChange({ clearsSecret: currentTarget.checked, secret: '' })}
          />
        )}
        <Switch
          label="Deliver matches"
          checked={draft.webhookEnabled}
          onChange={({ currentTarget }) => onChange({ webhookEnabled: currentTarget.checked })}
        />
        <Switch
          label="Also tell what happens to the jobs that I watch"
          checked={draft.tellsOfWatchedJobs}
          onChange={({ currentTarget }) => onChange({ tellsOfWatchedJobs: currentTarget.checked })}
        />
        {tried !== null && <TryWebhook id={tried} />}
      </div>
    </details>
  );
}

/** Sends a test to the webhook as it was saved; the Deliveries say what became of it. */
function TryWebhook({ id }: { id: number }) {
  const test = useMutation({ mutationFn: () => call(operations.testWebhook, { id }) });
  return (
    <div>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        Send a test
      </Button>
      <p role="status" className="soft">
        {test.isSuccess && 'It is on its way; Deliveries says what became of it.'}
      </p>
      {test.error && <Failure error={test.error} />}
    </div>
  );
}

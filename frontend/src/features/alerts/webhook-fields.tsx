import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { alertRuleLimits, webhookMethods } from '@svc/domain';
import type { RuleDraft } from './rule-draft.ts';
import styles from './rules.module.css';

interface WebhookFieldsProps {
  readonly draft: RuleDraft;
  readonly hasSecret: boolean;
  readonly onChange: (changed: Partial<RuleDraft>) => void;
}

/** Where a rule tells of its matches beside the bell. */
export function WebhookFields({ draft, hasSecret, onChange }: WebhookFieldsProps) {
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
      </div>
    </details>
  );
}

import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { Button, Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { operations, type EnrichmentService } from '@svc/contracts';
import {
  enrichmentLimits,
  enrichmentMethods,
  enrichmentPresets,
  entityLabels,
  entityTypes,
  type EnrichmentPreset,
} from '@svc/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callConfirmed } from '../../api/confirm-password.ts';
import { enrichmentChanged } from '../../api/enrichment.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import styles from './enrichment-page.module.css';
import { linesOfPairs, linesOfVerdicts, pairsOf, summaryFieldsOf, verdictRulesOf } from './enrichment-lines.ts';

type Fields = Omit<EnrichmentService, 'id' | 'has_token' | 'circuit' | 'results' | 'created_at' | 'updated_at'>;

const empty: Fields = {
  name: '',
  provider_key: 'own',
  entity_types: [],
  link_template: null,
  api_template: null,
  api_method: 'GET',
  api_headers: {},
  api_body: null,
  cache_ttl_seconds: 86_400,
  per_minute: null,
  summary_fields: [],
  verdict_rules: [],
  enabled: true,
  display_order: 100,
  notes: '',
};

function fieldsOf(preset: EnrichmentPreset): Fields {
  return {
    ...empty,
    name: preset.name,
    provider_key: preset.providerKey,
    entity_types: [...preset.entityTypes],
    link_template: preset.linkTemplate,
    api_template: preset.apiTemplate,
    api_method: preset.apiMethod,
    api_headers: { ...preset.apiHeaders },
    api_body: preset.apiBody,
    per_minute: preset.perMinute,
    summary_fields: preset.summaryFields.map((field) => ({ ...field })),
    notes: preset.notes,
  };
}

interface FormProps {
  /** Null for a new one. */
  readonly service: EnrichmentService | null;
  readonly defaultPerMinute: number;
  readonly onClose: () => void;
}

/** A service as it is asked and read; a new one begins with what its vendor documents. */
export function EnrichmentForm({ service, defaultPerMinute, onClose }: FormProps) {
  const [preset, setPreset] = useState<EnrichmentPreset | null>(null);
  const known = service ?? (preset ? fieldsOf(preset) : empty);
  const [verdicts, setVerdicts] = useState(linesOfVerdicts(known.verdict_rules));
  const save = useMutation({
    mutationFn: async (form: FormData) => {
      const sent = sentOf(form, verdicts);
      return service
        ? callConfirmed(operations.changeEnrichmentService, { id: service.id, ...sent })
        : callConfirmed(operations.createEnrichmentService, sent);
    },
    onSuccess: async () => {
      await enrichmentChanged();
      onClose();
    },
  });
  const suggested =
    preset?.suggestedVerdicts ??
    enrichmentPresets.find(({ providerKey }) => providerKey === service?.provider_key)?.suggestedVerdicts ??
    [];
  return (
    <Dialog title={service ? `Change ${service.name}` : 'Add an enrichment service'} onClose={onClose}>
      {service === null && (
        <NativeSelect
          label="Begin with"
          value={preset?.key ?? ''}
          data={[{ value: '', label: 'A service of your own' }, ...enrichmentPresets.map(choice)]}
          onChange={({ currentTarget: { value } }) => {
            setPreset(enrichmentPresets.find(({ key }) => key === value) ?? null);
            setVerdicts('');
          }}
        />
      )}
      <Form
        key={preset?.key}
        error={save.error}
        onSubmit={(form) => save.mutate(form)}
        actions={<DialogButtons words={service ? 'Save' : 'Add service'} pending={save.isPending} onClose={onClose} />}
      >
        <div className={styles.pair}>
          <TextInput label="Name" name="name" required withAsterisk={false} maxLength={80} defaultValue={known.name} />
          <TextInput
            label="Provider key"
            name="provider_key"
            required
            withAsterisk={false}
            maxLength={40}
            defaultValue={known.provider_key}
          />
        </div>
        <fieldset className={styles.fieldset}>
          <legend className={styles.legend}>Asked about</legend>
          <div className={styles.types}>
            {entityTypes.map((type) => (
              <Checkbox
                key={type}
                size="xs"
                name="entity_types"
                value={type}
                label={entityLabels[type]}
                defaultChecked={known.entity_types.includes(type)}
              />
            ))}
          </div>
        </fieldset>
        <TextInput
          label="Link for people"
          description="Opens in the browser; {value} is the entity’s"
          name="link_template"
          maxLength={enrichmentLimits.template}
          defaultValue={known.link_template ?? ''}
        />
        <div className={styles.request}>
          <NativeSelect
            label="Method"
            name="api_method"
            defaultValue={known.api_method}
            data={[...enrichmentMethods]}
          />
          <TextInput
            label="Address to ask, with {value} and {token}"
            name="api_template"
            maxLength={enrichmentLimits.template}
            defaultValue={known.api_template ?? ''}
          />
        </div>
        <Textarea
          label="Headers, one a line"
          name="api_headers"
          autosize
          minRows={1}
          placeholder="X-Key: {token}"
          defaultValue={linesOfPairs(Object.entries(known.api_headers))}
        />
        <Textarea
          label="Body of a POST"
          description="JSON, or fields of a form; {value} is escaped for either"
          name="api_body"
          autosize
          minRows={1}
          maxRows={6}
          maxLength={enrichmentLimits.body}
          defaultValue={known.api_body ?? ''}
        />
        <PasswordInput
          label="Token"
          description={
            service?.has_token ? 'One is stored, and never shown; leave this empty to keep it' : 'Stored encrypted'
          }
          name="api_token"
          autoComplete="off"
          maxLength={enrichmentLimits.token}
        />
        <div className={styles.three}>
          <TextInput
            label="Kept for (seconds)"
            name="cache_ttl_seconds"
            inputMode="numeric"
            defaultValue={known.cache_ttl_seconds}
          />
          <TextInput
            label="Requests a minute"
            name="per_minute"
            inputMode="numeric"
            placeholder={defaultPerMinute === 0 ? 'any number' : String(defaultPerMinute)}
            defaultValue={known.per_minute ?? ''}
          />
          <TextInput
            label="Place in the list"
            name="display_order"
            inputMode="numeric"
            defaultValue={known.display_order}
          />
        </div>
        <Textarea
          label="Shown of the answer, one a line"
          description="A name and where it stands, as a JSON pointer; the four vendors’ own answers are known already"
          name="summary_fields"
          autosize
          minRows={1}
          maxRows={8}
          placeholder="score: /data/score"
          defaultValue={linesOfPairs(known.summary_fields.map(({ label, pointer }) => [label, pointer]))}
        />
        <Textarea
          label="Verdicts, one a line"
          description="The strongest that is met counts. Empty: what is known of VirusTotal and AbuseIPDB, none of others"
          autosize
          minRows={1}
          maxRows={8}
          placeholder="malicious: /data/score >= 75"
          value={verdicts}
          onChange={({ currentTarget: { value } }) => setVerdicts(value)}
        />
        {suggested.length > 0 && verdicts.trim() === '' && (
          <Button
            variant="default"
            size="compact-sm"
            className={styles.suggest}
            onClick={() =>
              setVerdicts(
                linesOfVerdicts(
                  suggested.map(({ atLeast, ...rule }) => ({
                    ...rule,
                    ...(atLeast !== undefined && { at_least: atLeast }),
                  })),
                ),
              )
            }
          >
            Fill in suggested verdicts
          </Button>
        )}
        <Textarea
          label="Notes"
          name="notes"
          autosize
          minRows={1}
          maxLength={enrichmentLimits.notes}
          defaultValue={known.notes}
        />
        <Checkbox size="xs" name="enabled" label="Switched on" defaultChecked={known.enabled} />
      </Form>
    </Dialog>
  );
}

function choice({ key, name }: EnrichmentPreset) {
  return { value: key, label: name };
}

function sentOf(form: FormData, verdicts: string) {
  const text = (name: string): string => fieldText(form, name);
  return {
    name: text('name'),
    provider_key: text('provider_key'),
    entity_types: form.getAll('entity_types').map(String) as Fields['entity_types'],
    link_template: text('link_template'),
    api_template: text('api_template'),
    api_method: text('api_method') as Fields['api_method'],
    api_headers: Object.fromEntries(pairsOf(text('api_headers'))),
    api_body: text('api_body'),
    api_token: text('api_token'),
    cache_ttl_seconds: text('cache_ttl_seconds'),
    per_minute: text('per_minute') as '',
    summary_fields: summaryFieldsOf(text('summary_fields')),
    verdict_rules: verdictRulesOf(verdicts),
    display_order: text('display_order'),
    notes: text('notes'),
    enabled: form.has('enabled'),
  };
}

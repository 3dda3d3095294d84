import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Button, Switch, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { RequestError, type AlertRule } from '@svc/contracts';
import { alertRuleLimits, entityTypes } from '@svc/domain';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ruleDeeds, rulePreviewQuery, useRuleDeed } from '../../api/alert-rules.ts';
import { useMe } from '../../api/session.ts';
import { Chips } from '../../ui/chips.tsx';
import { typeNames } from '../../ui/entity-type-names.ts';
import { Failure, Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/states.tsx';
import { Switcher } from '../../ui/switcher.tsx';
import { TagColors } from '../../ui/tag-colors.tsx';
import { ConditionField } from './condition-field.tsx';
import { draftOf, fieldsOf, newDraft, tagsOf, type RuleDraft } from './rule-draft.ts';
import { RulePreview, RuleTrials } from './rule-trials.tsx';
import { RuleVersions } from './rule-versions.tsx';
import { hasSet, SetPromotion } from './set-promotion.tsx';
import styles from './rules.module.css';
import { WebhookFields } from './webhook-fields.tsx';

/** What is wrong with a condition; the rest of a rule is told where it is saved. */
const ofCondition = new Set(['job_term_not_allowed', 'query_invalid', 'term_error', 'unknown_list', 'query_too_long']);

interface RuleEditorProps {
  /** Null for a new one. */
  readonly rule: AlertRule | null;
  /** What a new one begins with. */
  readonly begin?: Partial<RuleDraft>;
  readonly onSaved: (rule: AlertRule) => void;
  readonly onClose: () => void;
}

/** Where a rule is written and tried; one that the reader may not edit is shown as it is. */
export function RuleEditor({ rule, begin, onSaved, onClose }: RuleEditorProps) {
  const me = useMe();
  const [draft, setDraft] = useState(() => (rule === null ? newDraft(begin) : draftOf(rule)));
  const change = (changed: Partial<RuleDraft>) => setDraft((now) => ({ ...now, ...changed }));
  const { scope, query, entityTypes: types } = draft;
  const condition = { scope, query, entity_types: types, rule_id: rule?.id ?? null };
  const [settled] = useDebouncedValue(condition, 250);
  const preview = useQuery(rulePreviewQuery(settled));
  const save = useRuleDeed(
    () => {
      const fields = fieldsOf(draft);
      if (rule !== null) return ruleDeeds.change({ id: rule.id, ...fields });
      return ruleDeeds.create({ ...fields, is_shared: draft.isShared, ...(draft.isShared && { key: draft.key }) });
    },
    {
      done: ({ rule: saved }) => setDraft(draftOf(saved)),
      // It is in the list by then.
      after: ({ rule: saved }) => onSaved(saved),
    },
  );
  /** Shows what the rule says since something else changed it. */
  const replace = (changed: AlertRule): void => {
    setDraft(draftOf(changed));
    onSaved(changed);
  };
  const remove = useRuleDeed(ruleDeeds.remove, { done: onClose });
  const isReadOnly = rule !== null && !rule.can_edit;
  const problems = (preview.data?.errors ?? []).filter(({ code }) => ofCondition.has(code));
  const isSound = preview.data !== undefined && problems.length === 0 && !preview.isPlaceholderData;
  const refusals = save.error instanceof RequestError ? save.error.errors : [];
  const error = refusals.length > 0 ? remove.error : (save.error ?? remove.error);
  const isAll = query.trim() === '';
  return (
    <section aria-label={rule === null ? 'New rule' : rule.name} className={styles.editor}>
      <p>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={14} stroke={1.75} />}
          onClick={onClose}
        >
          All rules
        </Button>
      </p>
      <h2>{rule === null ? 'New rule' : rule.name}</h2>
      <div className={styles.sides}>
        <Form
          error={error}
          onSubmit={() => save.mutate(undefined)}
          actions={
            isReadOnly ? (
              <span className="soft">Shared rules are changed by administrators</span>
            ) : (
              <>
                <Button type="submit" loading={save.isPending}>
                  {rule === null ? 'Make rule' : 'Save'}
                </Button>
                {rule !== null && (
                  <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate(rule.id)}>
                    Delete rule
                  </Button>
                )}
                {save.isSuccess && <span role="status">Saved</span>}
              </>
            )
          }
        >
          <fieldset disabled={isReadOnly} className={styles.fieldset}>
            <TextInput
              label="Name"
              value={draft.name}
              maxLength={alertRuleLimits.name}
              required
              withAsterisk={false}
              autoComplete="off"
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            />
            <TextInput
              label="What it is for (optional)"
              value={draft.description}
              maxLength={alertRuleLimits.description}
              autoComplete="off"
              onChange={({ currentTarget }) => change({ description: currentTarget.value })}
            />
            <Switcher
              label="Looks through"
              value={scope}
              options={[
                ['entity', 'Entities of a job'],
                ['job', 'Jobs'],
              ]}
              onChange={(chosen) => change({ scope: chosen })}
            />
            {scope === 'entity' && (
              <Chips
                label="Types"
                none="of any type"
                chosen={types}
                options={entityTypes.map((type) => [type, typeNames[type]] as const)}
                onChange={(chosen) => change({ entityTypes: chosen })}
              />
            )}
            <ConditionField
              scope={scope}
              value={query}
              isReadOnly={isReadOnly}
              problems={problems}
              onChange={(value) => change({ query: value })}
            />
            {isAll && (
              <Notice tone="warn">
                Without a condition the rule matches every {scope === 'job' ? 'job' : 'entity of these types'}.
              </Notice>
            )}
            {rule?.matches_entity_alone && query === rule.query && (
              <Notice tone="info">
                A star made this rule: it matches this one entity until its condition is edited.
              </Notice>
            )}
            <TextInput
              label="Tags to give"
              description="With commas between them"
              value={draft.tags}
              autoComplete="off"
              onChange={({ currentTarget }) => change({ tags: currentTarget.value })}
            />
            {tagsOf(draft).map(({ name, color }) => (
              <TagColors
                key={name}
                label={`Colour of ${name}`}
                value={color}
                onChange={(chosen) => change({ tagColors: { ...draft.tagColors, [name]: chosen } })}
              />
            ))}
            <Switch
              label="Alert me in the bell"
              checked={draft.notifies}
              onChange={({ currentTarget }) => change({ notifies: currentTarget.checked })}
            />
            {rule === null && me?.role === 'admin' && (
              <>
                <Switch
                  label="Shared with all members"
                  checked={draft.isShared}
                  onChange={({ currentTarget }) => change({ isShared: currentTarget.checked })}
                />
                {draft.isShared && (
                  <TextInput
                    label="Key"
                    description="By which documents know it: a-z, 0-9 and _"
                    value={draft.key}
                    maxLength={alertRuleLimits.key}
                    autoComplete="off"
                    onChange={({ currentTarget }) => change({ key: currentTarget.value })}
                  />
                )}
              </>
            )}
            {!isReadOnly && (
              <WebhookFields
                draft={draft}
                hasSecret={rule?.has_secret ?? false}
                tried={rule?.webhook_url ? rule.id : null}
                onChange={change}
              />
            )}
          </fieldset>
          {refusals.length > 0 && (
            <Notice tone="bad">
              <ul className={styles.refusals}>
                {refusals.map(({ code, message }) => (
                  <li key={`${code} ${message}`}>{message}</li>
                ))}
              </ul>
            </Notice>
          )}
        </Form>
        <div className={styles.aside}>
          {preview.error && <Failure error={preview.error} />}
          {preview.data && problems.length === 0 && <RulePreview preview={preview.data} scope={settled.scope} />}
          <RuleTrials condition={condition} isSound={isSound} />
          {rule !== null && me?.role === 'admin' && scope === 'entity' && query === rule.query && hasSet(query) && (
            <SetPromotion id={rule.id} onPromoted={replace} />
          )}
          {rule !== null && rule.can_edit && <RuleVersions id={rule.id} onRestored={replace} />}
        </div>
      </div>
    </section>
  );
}

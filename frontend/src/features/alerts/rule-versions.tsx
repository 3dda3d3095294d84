import { Button } from '@mantine/core';
import type { AlertRule, AlertRuleDefinition } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { ruleDeeds, ruleVersionsQuery, useRuleDeed } from '../../api/alert-rules.ts';
import { Failure } from '../../ui/form.tsx';
import { Age } from '../../ui/time.tsx';
import styles from './rules.module.css';

/** What a rule said before, what each version changed, and the way back to it. */
export function RuleVersions({ id, onRestored }: { id: number; onRestored: (rule: AlertRule) => void }) {
  const { data, error } = useQuery(ruleVersionsQuery(id));
  const restore = useRuleDeed(ruleDeeds.restore, { done: ({ rule }) => onRestored(rule) });
  if (error) return <Failure error={error} />;
  const versions = data?.versions ?? [];
  return (
    <details className={styles.versions}>
      <summary>Versions</summary>
      {restore.error && <Failure error={restore.error} />}
      <ol reversed start={versions[0]?.version}>
        {versions.map(({ version, changed_at: at, changed_by: by, says }, place) => {
          const before = versions[place + 1]?.says;
          return (
            <li key={version}>
              <p>
                <Age iso={at} isSaid /> {by !== null && <span className="soft">by {by}</span>}{' '}
                {place > 0 && (
                  <Button
                    variant="default"
                    size="compact-xs"
                    loading={restore.isPending && restore.variables.version === version}
                    onClick={() => restore.mutate({ id, version })}
                  >
                    Restore version {version}
                  </Button>
                )}
              </p>
              {before === undefined ? (
                <p className="faint">{version === 1 ? 'As it was made' : 'The one before is not kept any more'}</p>
              ) : (
                <Differences before={before} after={says} />
              )}
            </li>
          );
        })}
      </ol>
    </details>
  );
}

/** Each field that has changed, with what it said before and says now. */
function Differences({ before, after }: { before: AlertRuleDefinition; after: AlertRuleDefinition }) {
  const changed = fields.filter(([, text]) => text(before) !== text(after));
  return (
    <dl className={styles.differences}>
      {changed.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <del>{text(before) || 'nothing'}</del> <ins>{text(after) || 'nothing'}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const fields: readonly (readonly [label: string, text: (says: AlertRuleDefinition) => string])[] = [
  ['Name', ({ name }) => name],
  ['Description', ({ description }) => description],
  ['Looks through', ({ scope }) => (scope === 'job' ? 'jobs' : 'entities')],
  ['Condition', ({ query }) => query],
  ['Types', (says) => says.entity_types.join(', ')],
  ['Tags', (says) => says.action_tags.map(({ name, color }) => `${name} (${color})`).join(', ')],
  ['Alert', (says) => (says.action_notify ? 'on' : 'off')],
  ['Webhook', (says) => says.webhook_url ?? ''],
  ['Method', (says) => says.webhook_method],
  ['Headers', (says) => JSON.stringify(says.webhook_headers)],
  ['Body', (says) => says.webhook_template_body ?? says.webhook_template],
  ['Delivery', (says) => (says.webhook_enabled ? 'on' : 'off')],
  ['Watched jobs', (says) => (says.notify_job_watch ? 'told' : 'not told')],
];

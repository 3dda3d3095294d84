import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Button, Switch, TextInput } from '@mantine/core';
import type { AlertRule } from '@svc/contracts';
import { IconBell, IconListSearch, IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { alertRulesQuery, ruleDeeds, useRuleDeed } from '../../api/alert-rules.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { typeNames } from '../../ui/entity-type-names.ts';
import { Failure } from '../../ui/form.tsx';
import { count, counted } from '../../ui/format.ts';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Tags } from '../../ui/tag.tsx';
import { Age } from '../../ui/time.tsx';
import { alertRulesView } from './alert-rules-view.ts';
import { RuleDocuments } from './rule-documents.tsx';
import { RuleEditor } from './rule-editor.tsx';
import styles from './rules.module.css';

const route = getRouteApi(paths.alertRules);

/** The rules that one may read, and the editor of one. */
export function RulesTab(): ReactNode {
  const { rule: opened, q, scope } = route.useSearch();
  const navigate = route.useNavigate();
  const rules = useQuery(alertRulesQuery);
  const [filter, setFilter] = useState('');
  if (rules.data === undefined) {
    if (!rules.isError) return <Skeleton height={320} />;
    return <ErrorState what="The rules cannot be listed" error={rules.error} retry={() => void rules.refetch()} />;
  }
  const { mine, shared, others, own_count: own, rule_cap: most } = rules.data;
  const open = (rule: number | 'new' | undefined) => void navigate({ search: alertRulesView({ rule }) });
  if (opened !== undefined) {
    const rule = [...mine, ...shared, ...others].find(({ id }) => id === opened) ?? null;
    if (rule !== null || opened === 'new') {
      return (
        <RuleEditor
          key={opened}
          rule={rule}
          begin={{ query: q ?? '', scope: scope ?? 'entity' }}
          onSaved={({ id }) => open(id)}
          onClose={() => open(undefined)}
        />
      );
    }
  }
  const isShown = ({ name, query, action_tags: tags }: AlertRule) =>
    [name, query, ...tags.map((tag) => tag.name)].some((text) => text.toLowerCase().includes(filter.toLowerCase()));
  return (
    <>
      <div className={styles.bar}>
        <TextInput
          aria-label="Filter rules"
          placeholder="Name, condition or tag"
          value={filter}
          autoComplete="off"
          onChange={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <span className="faint">
          {count(own)} of {counted(most, 'rule')} of your own
        </span>
        <RuleDocuments />
        <Button leftSection={<IconPlus size={14} stroke={1.75} />} onClick={() => open('new')}>
          New rule
        </Button>
      </div>
      {opened !== undefined && <p role="status">There is no such rule, or it is somebody else’s</p>}
      <Group title="My rules" rules={mine.filter(isShown)}>
        {mine.length === 0 ? (
          <EmptyState icon={IconListSearch} title="No rules of your own yet">
            A rule tells you when a job names what you look for: star an entity, make a rule of a search, or begin with
            a new one.
          </EmptyState>
        ) : (
          <p className="faint">No rule of yours has this in its name, condition or tags</p>
        )}
      </Group>
      {shared.length > 0 && <Group title="Shared rules" rules={shared.filter(isShown)} />}
      {others.length > 0 && <Group title="Rules of other members" rules={others.filter(isShown)} isOfOthers />}
    </>
  );
}

function Group(props: {
  title: string;
  rules: readonly AlertRule[];
  isOfOthers?: boolean;
  /** In place of rows. */
  children?: ReactNode;
}): ReactNode {
  const { title, rules, isOfOthers = false, children } = props;
  return (
    <section aria-label={title} className={styles.group}>
      <h2>
        {title} <span className="faint">{count(rules.length)}</span>
      </h2>
      {rules.length === 0 ? (
        (children ?? <p className="faint">None has this in its name, condition or tags</p>)
      ) : (
        <div className={cx('card', styles.window)}>
          <table className={table.table}>
            <colgroup>
              <col />
              <col className={styles.conditionColumn} />
              <col className={styles.doesColumn} />
              <col className={styles.numberColumn} />
              <col className={styles.ageColumn} />
              <col className={styles.onColumn} />
            </colgroup>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Condition</th>
                <th scope="col">Does</th>
                <th scope="col" className="num">
                  Alerts
                </th>
                <th scope="col" className="num">
                  Last match
                </th>
                <th scope="col">On</th>
              </tr>
            </thead>
            <tbody>
              {rules.map((rule) => (
                <Row key={rule.id} rule={rule} isOfOthers={isOfOthers} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ rule, isOfOthers }: { rule: AlertRule; isOfOthers: boolean }) {
  const toggle = useRuleDeed(ruleDeeds.toggle);
  const isCut = rule.last_truncated_at !== null;
  return (
    <tr className={cx(table.row, !rule.enabled && styles.off)}>
      <td data-hint={rule.description || undefined}>
        <Link to={paths.alertRules} search={alertRulesView({ rule: rule.id })}>
          {rule.name}
        </Link>{' '}
        {isOfOthers && <span className="faint">{rule.owner}</span>}
        {rule.is_shared && rule.edited && <span className="faint">edited</span>}
      </td>
      <td>
        <span className="faint">{looksAt(rule)}</span>{' '}
        {rule.query === '' ? 'all of them' : <code data-hint={rule.query}>{rule.query}</code>}
      </td>
      <td>
        <span className={styles.does}>
          <Tags tags={rule.action_tags.map(({ name, color }) => ({ tag: name, color }))} most={2} />
          {rule.action_notify && <Does icon={IconBell} text="Alerts in the bell" />}
          {rule.webhook_enabled && <Does icon={IconWebhook} text="Tells a webhook" />}
        </span>
      </td>
      <td className="num" data-hint={isCut ? 'There were more matches in a job than are recorded' : undefined}>
        {count(rule.match_count)}
        {isCut && '+'}
      </td>
      <td className="num">{rule.last_matched_at === null ? '–' : <Age iso={rule.last_matched_at} />}</td>
      <td>
        <Switch
          size="xs"
          aria-label={`${rule.name} is on`}
          checked={rule.enabled}
          disabled={!rule.can_edit || toggle.isPending}
          onChange={() => toggle.mutate(rule.id)}
        />
        {toggle.error && <Failure error={toggle.error} />}
      </td>
    </tr>
  );
}

/** What a rule looks at, beside its condition. */
function looksAt({ scope, entity_types: types }: AlertRule): string {
  if (scope === 'job') return 'Jobs';
  return types.length === 0 ? 'Entities' : types.map((type) => typeNames[type]).join(', ');
}

function Does({ icon: Sign, text }: { icon: typeof IconBell; text: string }) {
  return (
    <span data-hint={text}>
      <Sign size={14} stroke={1.75} aria-hidden="true" />
      <span className="sr-only">{text}</span>
    </span>
  );
}

import { severities } from '@svc/domain';
import type { OutputOf, operations } from '@svc/contracts';
import { Choice } from '../../ui/choice.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { count, sentence } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import styles from './rules-page.module.css';
import { type RulesChange, rulesOrders, type RulesView } from './rules-view.ts';

interface RulesFiltersProps {
  readonly view: RulesView;
  readonly list: Pick<OutputOf<typeof operations.listRules>, 'log_sources' | 'statuses'>;
  readonly onChange: (changes: RulesChange) => void;
}

/** What narrows the list of rules, all of it in the address. */
export function RulesFilters({ view, list, onChange }: RulesFiltersProps) {
  const { q, level, status, tactic, technique, source, fired, decided, order } = view;
  const isNarrowed = Boolean(q ?? level ?? status ?? tactic ?? technique ?? source ?? fired ?? decided ?? order);
  return (
    <div className={styles.tools}>
      <SearchField
        label="Search rules"
        placeholder="Title, id, tag or path"
        value={q ?? ''}
        isMain
        onChange={(next) => onChange({ q: next || undefined })}
      />
      <Choice
        label="Level"
        value={level ?? ''}
        options={[['', 'Any level'], ...severities.map((one) => [one, sentence(one)] as const)]}
        onChange={(next) => onChange({ level: severities.find((one) => one === next) })}
      />
      <Choice
        label="Log source"
        value={source ?? ''}
        options={[['', 'Any log source'], ...named(list.log_sources)]}
        onChange={(next) => onChange({ source: next || undefined })}
      />
      <Choice
        label="Status"
        value={status ?? ''}
        options={[['', 'Any status'], ...named(list.statuses)]}
        onChange={(next) => onChange({ status: next || undefined })}
      />
      <Choice
        label="Fired"
        value={fired ?? ''}
        options={[
          ['', 'Fired or not'],
          ['yes', 'Fired in a job'],
          ['no', 'Never fired'],
        ]}
        onChange={(next) => onChange({ fired: next === 'yes' || next === 'no' ? next : undefined })}
      />
      <Choice
        label="Order"
        value={order ?? ''}
        options={[['', 'By title'], ...rulesOrders]}
        onChange={(next) => onChange({ order: rulesOrders.find(([name]) => name === next)?.[0] })}
      />
      <div className={styles.deeds}>
        <LinkButton onClick={() => onChange({ decided: decided ? undefined : true })}>
          {decided ? 'All rules' : 'Only changed ones'}
        </LinkButton>
        {technique !== undefined && <FilterChip text={technique} onRemove={() => onChange({ technique: undefined })} />}
        {isNarrowed && (
          <LinkButton
            onClick={() =>
              onChange({
                q: undefined,
                level: undefined,
                status: undefined,
                tactic: undefined,
                technique: undefined,
                source: undefined,
                fired: undefined,
                decided: undefined,
                order: undefined,
              })
            }
          >
            Clear filters
          </LinkButton>
        )}
      </div>
    </div>
  );
}

function named(counts: readonly { readonly name: string; readonly rules: number }[]) {
  return counts.map(({ name, rules }) => [name, `${name} (${count(rules)})`] as const);
}

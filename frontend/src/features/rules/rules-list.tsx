import type { OutputOf, operations } from '@svc/contracts';
import { useRef, type KeyboardEvent } from 'react';
import { cx } from '../../ui/class-names.ts';
import { focusStep } from '../../ui/focus-step.ts';
import { count } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { millis } from './rule-cost.ts';
import { RulesFilters } from './rules-filters.tsx';
import styles from './rules-page.module.css';
import type { RulesChange, RulesView } from './rules-view.ts';

interface RulesListProps {
  readonly list: OutputOf<typeof operations.listRules>;
  readonly view: RulesView;
  readonly onChange: (changes: RulesChange) => void;
}

/** Rules that pass the filters, a page of them; arrow keys and j and k go from one to the next. */
export function RulesList({ list, view, onChange }: RulesListProps) {
  const rows = useRef<HTMLUListElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    focusStep(rows.current, 'button:enabled', by);
  };
  return (
    <section className={cx('card', styles.list)} aria-label="Rules">
      <RulesFilters view={view} list={list} onChange={onChange} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys move among the buttons in it */}
      <ul className={styles.rows} ref={rows} onKeyDown={onKeyDown}>
        {list.rules.map((rule) => (
          <li key={`${rule.path} ${rule.title}`}>
            <button
              type="button"
              className={cx(styles.row, !rule.enabled && styles.off)}
              aria-pressed={rule.rule_id !== null && rule.rule_id === view.rule}
              disabled={rule.rule_id === null}
              onClick={() => onChange({ rule: rule.rule_id ?? undefined })}
            >
              <SeverityMark severity={rule.level_override ?? rule.level} />
              <span className={styles.title}>{rule.title}</span>
              <span className={cx(styles.about, 'cut')}>
                {rule.recent.is_noisy && <strong>noisy · </strong>}
                {rule.recent.events > 0 && `${count(rule.recent.events)} of late · `}
                {view.order === 'slow' && rule.recent.tries > 0 && `${millis(rule.recent.ms_per_million)} a million · `}
                {rule.enabled ? (rule.log_source?.join(' · ') ?? 'correlation') : 'switched off'}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {list.total === 0 && <p className={styles.none}>No rule passes these filters.</p>}
      {list.total_pages > 1 && (
        <div className={styles.pages}>
          <LinkButton disabled={list.page === 1} onClick={() => onChange({ page: list.page - 1 })}>
            Previous
          </LinkButton>
          <span>
            Page {list.page} of {list.total_pages}
          </span>
          <LinkButton disabled={list.page === list.total_pages} onClick={() => onChange({ page: list.page + 1 })}>
            Next
          </LinkButton>
        </div>
      )}
    </section>
  );
}

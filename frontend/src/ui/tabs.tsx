import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './class-names.ts';
import { count } from './format.ts';
import styles from './tabs.module.css';

interface TabsProps<V extends string> {
  readonly label: string;
  readonly value: V;
  /** A count, where there is one, stands behind the text. */
  readonly tabs: readonly (readonly [value: V, text: string, count?: number | undefined])[];
  readonly onChange: (value: V) => void;
  /** Stands at the end of the row of tabs. */
  readonly aside?: ReactNode;
  /** Where the window is narrow it begins the panel instead. */
  readonly isAsideWide?: boolean;
  /** What the chosen tab shows. */
  readonly children: ReactNode;
}

/** Tabs over a panel; arrow keys move between them. */
export function Tabs<V extends string>({
  label,
  value,
  tabs,
  aside,
  isAsideWide = false,
  onChange,
  children,
}: TabsProps<V>) {
  const id = useId();
  const step = ({ key, currentTarget }: KeyboardEvent<HTMLDivElement>) => {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const next = by === 0 ? undefined : tabs[tabs.findIndex(([tab]) => tab === value) + by];
    if (!next) return;
    onChange(next[0]);
    currentTarget.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next[0]}`)}`)?.focus();
  };
  return (
    <>
      <div className={cx(styles.row, isAsideWide && styles.wide)}>
        <div role="tablist" aria-label={label} className={styles.list} onKeyDown={step} tabIndex={-1}>
          {tabs.map(([tab, text, size = 0]) => (
            <button
              key={tab}
              id={`${id}-${tab}`}
              type="button"
              role="tab"
              className={styles.tab}
              aria-selected={tab === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab === value ? 0 : -1}
              onClick={() => onChange(tab)}
            >
              {text}
              {size > 0 && <span className={styles.count}> {count(size)}</span>}
            </button>
          ))}
        </div>
        {aside && <div className={styles.aside}>{aside}</div>}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
}

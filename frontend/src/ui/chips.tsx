import type { ReactNode } from 'react';
import styles from './chips.module.css';

/** Any of a few, all in sight; what none of them means is said beside them. */
export function Chips<V extends string>(props: {
  label: string;
  /** Stands above them. @default nothing */
  title?: string;
  none: string;
  chosen: readonly V[];
  options: readonly (readonly [value: V, text: string])[];
  onChange: (chosen: V[]) => void;
}): ReactNode {
  const { label, title, none, chosen, options, onChange } = props;
  return (
    <div role="group" aria-label={label} className={styles.chips}>
      {title !== undefined && <span className={styles.title}>{title}</span>}
      {options.map(([value, text]) => {
        const isChosen = chosen.includes(value);
        return (
          <button
            key={value}
            type="button"
            className={styles.chip}
            aria-pressed={isChosen}
            onClick={() => onChange(isChosen ? chosen.filter((one) => one !== value) : [...chosen, value])}
          >
            {text}
          </button>
        );
      })}
      {chosen.length === 0 && <span className="faint">{none}</span>}
    </div>
  );
}

import { cx } from './class-names.ts';
import styles from './switcher.module.css';

interface SwitcherProps<V extends string | number> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly (readonly [value: V, text: string])[];
  readonly onChange: (value: V) => void;
}

/** One of a few, all in sight. */
export function Switcher<V extends string | number>({ label, value, options, onChange }: SwitcherProps<V>) {
  return (
    <fieldset className={styles.switcher}>
      <legend className="sr-only">{label}</legend>
      {options.map(([option, text]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          className={cx(styles.option, option === value && styles.chosen)}
          onClick={() => onChange(option)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}

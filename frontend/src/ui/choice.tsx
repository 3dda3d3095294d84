import { cx } from './class-names.ts';
import styles from './choice.module.css';

interface ChoiceProps {
  readonly label: string;
  readonly value: string | number;
  readonly options: readonly (readonly [value: string | number, text: string])[];
  /** A choice that is made for good is plain text. */
  readonly open?: boolean;
  /** Draws the eye to a choice that must be made. */
  readonly attention?: boolean;
  /** Text when there is nothing to choose from. */
  readonly none?: string;
  readonly onChange: (value: string) => void;
}

/** A choice in a table row: the browser's own list, as quiet as text until it is touched. */
export function Choice({ label, value, options, open = true, attention = false, none = '', onChange }: ChoiceProps) {
  const text = options.find(([option]) => option === value)?.[1] ?? none;
  if (!open || options.length === 0) {
    return (
      <span className={cx(styles.fixed, 'cut')} data-hint={text}>
        {text}
      </span>
    );
  }
  return (
    <select
      aria-label={label}
      className={cx(styles.choice, attention && styles.attention)}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}

import { IconSearch } from '@tabler/icons-react';
import { cx } from './class-names.ts';
import styles from './search-field.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string | undefined;
}

/** Narrows what is shown while it is typed into. */
export function SearchField({ label, placeholder, value, onChange, className }: SearchFieldProps) {
  return (
    <label className={cx(styles.field, className)}>
      <IconSearch size={14} stroke={1.75} aria-hidden="true" />
      <input
        type="search"
        value={value}
        placeholder={placeholder}
        aria-label={label}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

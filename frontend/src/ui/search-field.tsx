import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { cx } from './class-names.ts';
import { Kbd } from './kbd.tsx';
import styles from './search-field.module.css';
import { followedText, shownText, typedText } from './typed-text.ts';
import { useKeys } from './use-keys.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  /** The field of its page: the key / leads to it. */
  readonly isMain?: boolean;
  readonly onChange: (value: string) => void;
}

/** Narrows what is shown while it is typed into; its value may come back late, as through the address. */
export function SearchField({ label, placeholder, value, isMain = false, onChange }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [kept, setTyped] = useState(() => shownText(value));
  const typed = followedText(kept, value);
  if (typed !== kept) setTyped(typed);
  useKeys(isMain ? { '/': () => input.current?.focus() } : {});
  return (
    <label className={cx(styles.field, isMain && styles.main)}>
      <IconSearch size={14} stroke={1.75} aria-hidden="true" />
      <input
        ref={input}
        type="search"
        value={typed.text}
        placeholder={placeholder}
        aria-label={label}
        aria-keyshortcuts={isMain ? '/' : undefined}
        onChange={({ currentTarget: { value: text } }) => {
          setTyped((before) => typedText(before, text));
          onChange(text);
        }}
        onKeyDown={({ key, currentTarget }) => isMain && key === 'Escape' && currentTarget.blur()}
      />
      {isMain && <Kbd keys={['/']} />}
    </label>
  );
}

import { useEffect, useRef } from 'react';
import styles from './moment-field.module.css';

interface MomentFieldProps {
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** A time in UTC, which the browser's own field would read as local. */
export function MomentField(props: MomentFieldProps) {
  const { label, value, onChange } = props;
  const field = useRef<HTMLInputElement>(null);
  // What is typed is the browser's until it is a whole time; what the address says is shown when that changes.
  useEffect(() => {
    if (field.current && timeOf(field.current) !== value) field.current.value = written(value);
  }, [value]);
  return (
    <label className={styles.field}>
      {label} <span className="faint">UTC</span>
      <input
        ref={field}
        type="datetime-local"
        step={1}
        defaultValue={written(value)}
        onChange={({ target }) => {
          const at = timeOf(target);
          if (at === undefined ? !target.validity.badInput : at >= 0) onChange(at);
        }}
      />
    </label>
  );
}

function written(value: number | undefined): string {
  return value === undefined ? '' : new Date(value).toISOString().slice(0, 19);
}

function timeOf({ value }: HTMLInputElement): number | undefined {
  return value === '' ? undefined : Date.parse(`${value}Z`);
}

import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { NativeSelect, Switch } from '@mantine/core';
import styles from './option-field.module.css';

/** A choice with its name above it. */
export function OptionField(props: {
  label: string;
  value: string | number;
  options: readonly (readonly [value: string | number, text: string])[];
  onChange: (value: string) => void;
}) {
  const { label, value, options, onChange } = props;
  return (
    <NativeSelect
      label={label}
      size="xs"
      className={styles.field ?? ''}
      value={value}
      data={options.map(([option, text]) => ({ value: String(option), label: text }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** A switch with its name beside it. */
export function FlagField(props: {
  label: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const { label, hint, checked, onChange } = props;
  return (
    <Switch
      size="xs"
      label={label}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      wrapperProps={{ 'data-hint': hint }}
    />
  );
}

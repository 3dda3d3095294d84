import type { ReactNode } from 'react';
import styles from './yaml-field.module.css';
import { YamlLines } from './yaml-lines.tsx';

interface YamlFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Lines of which there is something to say, from 1. */
  readonly marked: ReadonlyMap<number, 'bad' | 'warn'>;
  readonly onChange: (value: string) => void;
}

/** YAML to be written: a text field over the same text in colours, with numbers and marks at its lines. */
export function YamlField({ id, label, value, marked, onChange }: YamlFieldProps): ReactNode {
  return (
    <div className={styles.editor}>
      <pre className={styles.code} aria-hidden="true">
        <YamlLines source={value} mark={(line) => styles[marked.get(line) ?? 'good']} />
      </pre>
      <textarea
        id={id}
        className={styles.field}
        aria-label={label}
        value={value}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        maxLength={65_536}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

/** Puts the caret at the beginning of a line of such a field. */
export function goToLine(id: string, line: number): void {
  const field = document.querySelector<HTMLTextAreaElement>(`#${id}`);
  if (!field) return;
  const at = field.value.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0);
  field.focus();
  field.setSelectionRange(at, at);
}

import { YamlLines } from '../../../ui/yaml-lines.tsx';
import styles from './rule-text.module.css';

interface RuleTextProps {
  readonly value: string;
  /** Lines that the compiler has something to say of, from 1. */
  readonly marked: ReadonlyMap<number, 'bad' | 'warn'>;
  readonly onChange: (value: string) => void;
}

/** A rule to be written: a text field over the same text in colours, with numbers and marks at its lines. */
export function RuleText({ value, marked, onChange }: RuleTextProps) {
  return (
    <div className={styles.editor}>
      <pre className={styles.code} aria-hidden="true">
        <YamlLines source={value} mark={(line) => styles[marked.get(line) ?? 'good']} />
      </pre>
      <textarea
        id="rule-source"
        className={styles.field}
        aria-label="Source of the rule"
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

/** Puts the caret at the beginning of a line of the rule. */
export function goToLine(line: number): void {
  const field = document.querySelector<HTMLTextAreaElement>('#rule-source');
  if (!field) return;
  const at = field.value.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0);
  field.focus();
  field.setSelectionRange(at, at);
}

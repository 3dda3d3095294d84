import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { CheckedRule } from '../../../api/try-rule.ts';
import { cx } from '../../../ui/class-names.ts';
import { counted, sentence } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { goToLine } from '../../../ui/yaml-field.tsx';
import styles from './rule-editor.module.css';

/** What the compiler says of the rule as it stands; a line leads to its place in the text. */
export function RuleProblems({ checked }: { checked: CheckedRule | undefined }) {
  if (checked === undefined) return <p className={styles.verdict}>Compiling …</p>;
  const { rules, rejected, warnings } = checked;
  const [first, ...more] = rules;
  return (
    <div className={styles.problems} role="status" aria-label="What the compiler says">
      {rejected.length === 0 && first !== undefined && (
        <p className={cx(styles.verdict, styles.good)}>
          <IconCircleCheck size={16} stroke={1.75} aria-hidden="true" />
          Compiles: {sentence(first.level)}, {first.title}
          {more.length > 0 && ` and ${counted(more.length, 'other')}`}
        </p>
      )}
      <ul className={styles.remarks}>
        {[
          ...rejected.map((remark) => ({ ...remark, tone: 'bad' as const })),
          ...warnings.map((remark) => ({ ...remark, tone: 'warn' as const })),
        ].map(({ line, message, tone }) => (
          <li key={`${line} ${message}`} className={styles[tone]}>
            {tone === 'bad' ? (
              <IconCircleX size={16} stroke={1.75} aria-label="Error" />
            ) : (
              <IconAlertTriangle size={16} stroke={1.75} aria-label="Warning" />
            )}
            <LinkButton onClick={() => goToLine('rule-source', line)}>Line {line}</LinkButton>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Lines of the text to be marked; an error outdoes a warning. */
export function markedLines(checked: CheckedRule | undefined): ReadonlyMap<number, 'bad' | 'warn'> {
  return new Map([
    ...(checked?.warnings ?? []).map(({ line }) => [line, 'warn'] as const),
    ...(checked?.rejected ?? []).map(({ line }) => [line, 'bad'] as const),
  ]);
}

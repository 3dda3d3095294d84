import type { WorkflowProblem } from '@svc/contracts';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LinkButton } from '../../../ui/link-button.tsx';
import { goToLine } from '../../../ui/yaml-field.tsx';
import styles from './workflows.module.css';

export const definitionField = 'workflow-definition';

/** What is to be said of a workflow as it is written; a line leads to its place. */
export function WorkflowProblems({ problems }: { problems: readonly WorkflowProblem[] | undefined }): ReactNode {
  if (problems === undefined) return <p className="soft">Checking …</p>;
  return (
    <div role="status" aria-label="What is to be said of it" className={styles.problems}>
      {problems.length === 0 && (
        <p className={styles.good}>
          <IconCircleCheck size={16} stroke={1.75} aria-hidden="true" /> Can be saved, and every task can run here
        </p>
      )}
      <ul>
        {problems.map(({ level, key, message, line }) => (
          <li key={`${key} ${message} ${line}`} className={level === 'error' ? styles.bad : styles.warn}>
            {level === 'error' ? (
              <IconCircleX size={16} stroke={1.75} aria-label="Error" />
            ) : (
              <IconAlertTriangle size={16} stroke={1.75} aria-label="Warning" />
            )}
            <span>
              {line !== null && <LinkButton onClick={() => goToLine(definitionField, line)}>Line {line}</LinkButton>}{' '}
              <code>{key}</code> {message}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Lines of the definition to be marked; an error outdoes a warning. */
export function markedLines(problems: readonly WorkflowProblem[]): ReadonlyMap<number, 'bad' | 'warn'> {
  const of = (level: WorkflowProblem['level'], mark: 'bad' | 'warn') =>
    problems.flatMap((one) => (one.level === level && one.line !== null ? [[one.line, mark] as const] : []));
  return new Map([...of('warning', 'warn'), ...of('error', 'bad')]);
}

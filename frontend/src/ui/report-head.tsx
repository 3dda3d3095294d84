import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './report-head.module.css';

interface ReportHeadProps {
  /** The list that the report is of. */
  readonly parent: { readonly to: string; readonly text: string };
  readonly here: ReactNode;
  readonly title: string;
  readonly hint?: string | undefined;
  readonly actions: ReactNode;
  /** Marks behind the title. */
  readonly children?: ReactNode;
}

/** Top of a report: where it belongs, what it is of, how it stands, and what can be done with it. */
export function ReportHead({ parent, here, title, hint, actions, children }: ReportHeadProps) {
  return (
    <header className={styles.head}>
      <nav aria-label="Breadcrumb" className={styles.crumbs}>
        <Link to={parent.to}>{parent.text}</Link>
        <IconChevronRight size={12} aria-hidden="true" />
        <span>{here}</span>
      </nav>
      <div className={styles.line}>
        <h1 className={styles.title} data-hint={hint}>
          {title}
        </h1>
        {children}
        <div className={styles.actions}>{actions}</div>
      </div>
    </header>
  );
}

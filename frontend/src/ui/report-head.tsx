import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { cx } from './class-names.ts';
import { LinkButton } from './link-button.tsx';
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
  /** What else is known, shown below when it is asked for. */
  readonly details?: ReactNode;
}

/** Top of a report, in one line: where it belongs, what it is of, how it stands, and what can be done with it. */
export function ReportHead({ parent, here, title, hint, actions, children, details }: ReportHeadProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <header className={styles.head}>
        <nav aria-label="Breadcrumb" className={styles.crumbs}>
          <Link to={parent.to}>{parent.text}</Link>
          <IconChevronRight size={12} aria-hidden="true" />
          <span>{here}</span>
          <IconChevronRight size={12} aria-hidden="true" />
        </nav>
        <h1 className={styles.title} data-hint={hint}>
          {title}
        </h1>
        {children}
        {details && (
          <LinkButton className={styles.details} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Details
            <IconChevronDown size={14} stroke={2} className={cx(isOpen && styles.up)} aria-hidden="true" />
          </LinkButton>
        )}
        <div className={styles.actions}>{actions}</div>
      </header>
      {isOpen && details}
    </>
  );
}

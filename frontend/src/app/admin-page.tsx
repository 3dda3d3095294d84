import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './admin-page.module.css';
import { paths } from '../paths.ts';
import { adminEntries } from './all-entries.ts';

/** A page for administrators, below the list of all such pages. */
export function AdminPage({ children }: { children: ReactNode }) {
  return (
    <>
      <nav aria-label="Admin" className={styles.list}>
        {adminEntries.map(({ label, to, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className={styles.entry}
            activeProps={{ className: styles.active ?? '', 'aria-current': 'page' }}
            activeOptions={{ exact: to === paths.dashboard, includeSearch: false }}
          >
            <Icon size={16} stroke={1.75} aria-hidden="true" />
            {label}
          </Link>
        ))}
      </nav>
      {children}
    </>
  );
}

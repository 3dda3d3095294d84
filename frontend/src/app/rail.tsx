import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogin2,
  IconLogout,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe, useSignOut } from '../api/session.ts';
import { paths } from '../paths.ts';
import { Brand } from '../ui/brand.tsx';
import { cx } from '../ui/class-names.ts';
import { adminEntriesFor, helpEntries, workEntries, type Entry } from './entries.ts';
import styles from './rail.module.css';

interface RailProps {
  readonly narrow?: boolean;
  /** Folds and unfolds the rail; absent in the drawer. */
  readonly onToggle?: () => void;
  readonly onNavigate?: () => void;
}

/** The pages, and signing in and out. */
export function Rail({ narrow = false, onToggle, onNavigate }: RailProps) {
  const adminEntries = adminEntriesFor(useMe());
  return (
    <div className={cx(styles.rail, narrow && styles.narrow)}>
      <Link to={paths.submit} className={styles.brand} aria-label="svc log analysis, to the start" onClick={onNavigate}>
        <Brand wordless={narrow} />
      </Link>
      <nav aria-label="Main" className={styles.nav}>
        <ul className={styles.group}>
          {workEntries.map((entry) => (
            <RailLink key={entry.to} entry={entry} narrow={narrow} onNavigate={onNavigate} />
          ))}
          {adminEntries.length > 0 && (
            <>
              <li className={styles.heading}>{narrow ? <span className="sr-only">Admin</span> : 'Admin'}</li>
              {adminEntries.map((entry) => (
                <RailLink key={entry.to} entry={entry} narrow={narrow} onNavigate={onNavigate} />
              ))}
            </>
          )}
        </ul>
        <ul className={styles.group}>
          {helpEntries.map((entry) => (
            <RailLink key={entry.to} entry={entry} narrow={narrow} onNavigate={onNavigate} />
          ))}
          <SignInOut narrow={narrow} onNavigate={onNavigate} />
        </ul>
      </nav>
      {onToggle && (
        <button
          type="button"
          className={cx(styles.item, styles.toggle)}
          onClick={onToggle}
          aria-label={narrow ? 'Unfold the rail' : 'Fold the rail'}
          aria-keyshortcuts="Control+B"
          data-hint={`${narrow ? 'Unfold' : 'Fold'} (Ctrl B)`}
        >
          {narrow ? (
            <IconLayoutSidebarLeftExpand size={18} stroke={1.75} />
          ) : (
            <IconLayoutSidebarLeftCollapse size={18} stroke={1.75} />
          )}
        </button>
      )}
    </div>
  );
}

type PartProps = { narrow: boolean; onNavigate: (() => void) | undefined };

function RailLink({ entry: { label, to, icon: Icon }, narrow, onNavigate }: PartProps & { entry: Entry }) {
  return (
    <li>
      <Link
        to={to}
        className={styles.item}
        activeProps={{ className: styles.active ?? '', 'aria-current': 'page' }}
        activeOptions={{ exact: to === paths.submit, includeSearch: false }}
        onClick={onNavigate}
        {...labelled(label, narrow)}
      >
        <Icon size={18} stroke={1.75} aria-hidden="true" />
        {!narrow && label}
      </Link>
    </li>
  );
}

function SignInOut({ narrow, onNavigate }: PartProps) {
  const me = useMe();
  const signOut = useSignOut();
  if (me === undefined) return <li className={styles.blank} />;
  if (me === null) {
    return (
      <li>
        <Link
          to={paths.login}
          className={styles.item}
          activeProps={{ className: styles.active ?? '' }}
          onClick={onNavigate}
          {...labelled('Sign in', narrow)}
        >
          <IconLogin2 size={18} stroke={1.75} aria-hidden="true" />
          {!narrow && 'Sign in'}
        </Link>
      </li>
    );
  }
  return (
    <li>
      <button type="button" className={styles.item} onClick={() => signOut.mutate()} {...labelled('Sign out', narrow)}>
        <IconLogout size={18} stroke={1.75} aria-hidden="true" />
        {!narrow && 'Sign out'}
      </button>
    </li>
  );
}

function labelled(label: string, narrow: boolean): { 'aria-label'?: string; 'data-hint'?: ReactNode } {
  return narrow ? { 'aria-label': label, 'data-hint': label } : {};
}

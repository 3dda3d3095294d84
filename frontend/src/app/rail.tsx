import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconLogin2, IconTool } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../api/session.ts';
import { paths } from '../paths.ts';
import { Brand } from '../ui/brand.tsx';
import { cx } from '../ui/class-names.ts';
import { useWayBack } from '../ui/sign-in-link.tsx';
import { helpEntries, intelEntriesFor, workEntriesFor, type Entry } from './entries.ts';
import styles from './rail.module.css';

interface RailProps {
  readonly narrow?: boolean;
  /** Folds and unfolds the rail; absent in the drawer. */
  readonly onToggle?: () => void;
  readonly onNavigate?: () => void;
}

/** The pages, and signing in. */
export function Rail({ narrow = false, onToggle, onNavigate }: RailProps) {
  const me = useMe();
  const isAdminPage = useLocation({ select: ({ pathname }) => /^\/admin(\/|$)/.test(pathname) });
  return (
    <div className={cx(styles.rail, narrow && styles.narrow)}>
      <Link to={paths.submit} className={styles.brand} aria-label="svc log analysis, to the start" onClick={onNavigate}>
        <Brand wordless={narrow} />
      </Link>
      <nav aria-label="Main" className={styles.nav}>
        <ul className={styles.group}>
          <RailGroup name="Work" entries={workEntriesFor(me)} narrow={narrow} onNavigate={onNavigate} />
          <RailGroup name="Intel" entries={intelEntriesFor(me)} narrow={narrow} onNavigate={onNavigate} />
          {me?.role === 'admin' && (
            <li className={styles.single}>
              <Link
                to={paths.dashboard}
                className={cx(styles.item, isAdminPage && styles.active)}
                aria-current={isAdminPage ? 'page' : undefined}
                onClick={onNavigate}
                {...labelled('Admin', narrow)}
              >
                <IconTool size={18} stroke={1.75} aria-hidden="true" />
                {!narrow && 'Admin'}
              </Link>
            </li>
          )}
        </ul>
        <ul className={styles.group}>
          {helpEntries.map((entry) => (
            <RailLink key={entry.to} entry={entry} narrow={narrow} onNavigate={onNavigate} />
          ))}
          <SignIn narrow={narrow} onNavigate={onNavigate} />
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

/** Pages that belong together, under a name; nothing where there are none. */
function RailGroup({ name, entries, narrow, onNavigate }: PartProps & { name: string; entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <>
      <li className={styles.heading}>{narrow ? <span className="sr-only">{name}</span> : name}</li>
      {entries.map((entry) => (
        <RailLink key={entry.to} entry={entry} narrow={narrow} onNavigate={onNavigate} />
      ))}
    </>
  );
}

function RailLink({ entry: { label, to, icon: Icon }, narrow, onNavigate }: PartProps & { entry: Entry }) {
  // Below the address of the entities, and yet pages of their own.
  const isOther = useLocation({
    select: ({ pathname }) => [paths.alertRules, paths.cases, paths.feeds].some((path) => pathname.startsWith(path)),
  });
  const isElsewhere = to === paths.entities && isOther;
  return (
    <li>
      <Link
        to={to}
        className={styles.item}
        activeProps={
          isElsewhere ? { 'aria-current': false } : { className: styles.active ?? '', 'aria-current': 'page' }
        }
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

/** Signing out is in the account menu. */
function SignIn({ narrow, onNavigate }: PartProps) {
  const me = useMe();
  const back = useWayBack();
  if (me === undefined) return <li className={styles.blank} />;
  if (me !== null) return null;
  return (
    <li>
      <Link
        to={paths.login}
        search={back}
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

function labelled(label: string, narrow: boolean): { 'aria-label'?: string; 'data-hint'?: ReactNode } {
  return narrow ? { 'aria-label': label, 'data-hint': label } : {};
}

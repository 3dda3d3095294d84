import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMenu2, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useMe } from '../api/session.ts';
import { paths } from '../paths.ts';
import { Kbd } from '../ui/kbd.tsx';
import { useWayBack } from '../ui/sign-in-link.tsx';
import { lazy } from '../ui/lazy.ts';
import styles from './top-bar.module.css';

const Bell = lazy(async () => ({ default: (await import('../features/discussions/bell.tsx')).Bell }));
const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }));

/** Search, theme and account, over every page. */
export function TopBar({ onSearch, onMenu }: { onSearch: () => void; onMenu: () => void }) {
  return (
    <header className={styles.bar}>
      <ActionIcon className={styles.menu} aria-label="Menu" onClick={onMenu}>
        <IconMenu2 size={18} stroke={1.75} />
      </ActionIcon>
      <button type="button" className={styles.search} onClick={onSearch} aria-keyshortcuts="Control+K">
        <IconSearch size={16} stroke={1.75} aria-hidden="true" />
        <span className={styles.searchText}>Go to a page, a job, a file name</span>
        <Kbd keys={['mod', 'K']} />
      </button>
      <div className={styles.end}>
        <BellPlace />
        <ThemeSwitch />
        <Account />
      </div>
    </header>
  );
}

function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon
      aria-label={`Use the ${other} theme`}
      data-hint={`Use the ${other} theme`}
      onClick={() => setColorScheme(other)}
    >
      {scheme === 'dark' ? <IconSun size={18} stroke={1.75} /> : <IconMoon size={18} stroke={1.75} />}
    </ActionIcon>
  );
}

/** Notifications are for who is signed in. */
function BellPlace() {
  const me = useMe();
  return (
    me && (
      <Suspense fallback={<span className={styles.bellBlank} />}>
        <Bell />
      </Suspense>
    )
  );
}

function Account() {
  const me = useMe();
  const back = useWayBack();
  if (me === undefined) return <span className={styles.blank} />;
  if (me === null) {
    return (
      <Button variant="default" renderRoot={(props) => <Link to={paths.login} search={back} {...props} />}>
        Sign in
      </Button>
    );
  }
  return (
    <Suspense fallback={<span className={styles.blank} />}>
      <AccountMenu me={me} />
    </Suspense>
  );
}

import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useIsPasswordAsked } from '../api/confirm-password.ts';
import { cx } from '../ui/class-names.ts';
import { HintLayer } from '../ui/hint.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { FinishedToasts } from './finished-toasts.tsx';
import styles from './frame.module.css';
import { Rail } from './rail.tsx';
import { TopBar } from './top-bar.tsx';
import { WindowDrop } from './window-drop.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }));
const ConfirmPassword = lazy(async () => ({ default: (await import('./confirm-password.tsx')).ConfirmPassword }));
const RailDrawer = lazy(async () => ({ default: (await import('./rail-drawer.tsx')).RailDrawer }));

/** What surrounds every page: rail, top bar, palette, drop target, hints and toasts. */
export function Frame() {
  const [narrow, setNarrow] = useLocalStorage({
    key: 'svc-rail-narrow',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const [palette, setPalette] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const [helping, setHelping] = useState(false);
  const isPasswordAsked = useIsPasswordAsked();
  useHotkeys(
    [
      ['mod+K', () => setPalette(true)],
      ['mod+B', () => setNarrow(!narrow)],
    ],
    [],
  );
  useKeys({ '?': () => setHelping(true) });
  return (
    <div className={cx(styles.frame, narrow && styles.narrow)}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <aside className={styles.rail}>
        <Rail narrow={narrow} onToggle={() => setNarrow(!narrow)} />
      </aside>
      <div className={styles.page}>
        <TopBar onSearch={() => setPalette(true)} onMenu={() => setDrawer(true)} />
        <main id="content" className={styles.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Suspense>
        {palette && (
          <Palette
            onClose={() => setPalette(false)}
            onFold={() => setNarrow(!narrow)}
            onShortcuts={() => setHelping(true)}
          />
        )}
        {helping && <Shortcuts onClose={() => setHelping(false)} />}
        {isPasswordAsked && <ConfirmPassword />}
        {drawer && <RailDrawer onClose={() => setDrawer(false)} />}
      </Suspense>
      <WindowDrop />
      <FinishedToasts />
      <HintLayer />
    </div>
  );
}

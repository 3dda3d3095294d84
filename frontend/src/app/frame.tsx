import { Outlet } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { askForCase, useWantedForCase } from '../api/adding-to-case.ts';
import { useIsPasswordAsked } from '../api/confirm-password.ts';
import { cx } from '../ui/class-names.ts';
import { HintLayer } from '../ui/hint.tsx';
import { lazy } from '../ui/lazy.ts';
import { useKept } from '../ui/use-kept.ts';
import { useKeys } from '../ui/use-keys.ts';
import { Banner } from './banner.tsx';
import { FinishedToasts } from './finished-toasts.tsx';
import styles from './frame.module.css';
import { Rail } from './rail.tsx';
import { SessionEnded } from './session-ended.tsx';
import { TopBar } from './top-bar.tsx';
import { WindowDrop } from './window-drop.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }));
const ConfirmPassword = lazy(async () => ({ default: (await import('./confirm-password.tsx')).ConfirmPassword }));
const AddToCase = lazy(async () => ({ default: (await import('../features/cases/add-to-case.tsx')).AddToCase }));
const RailDrawer = lazy(async () => ({ default: (await import('./rail-drawer.tsx')).RailDrawer }));

/** What surrounds every page: rail, top bar, palette, drop target, hints and toasts. */
export function Frame() {
  const [narrow, setNarrow] = useKept('svc-rail-narrow', false);
  const [palette, setPalette] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const [helping, setHelping] = useState(false);
  const isPasswordAsked = useIsPasswordAsked();
  const forCase = useWantedForCase();
  useKeys({
    'mod+k': () => setPalette(true),
    'mod+b': () => setNarrow(!narrow),
    '?': () => setHelping(true),
  });
  return (
    <div className={cx(styles.frame, narrow && styles.narrow)}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <aside className={styles.rail}>
        <Rail narrow={narrow} onToggle={() => setNarrow(!narrow)} />
      </aside>
      <div className={styles.page}>
        <Banner />
        <TopBar onSearch={() => setPalette(true)} onMenu={() => setDrawer(true)} />
        <main id="content" className={styles.content} tabIndex={-1}>
          <SessionEnded />
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
        {forCase && <AddToCase things={forCase} onClose={() => askForCase(null)} />}
        {isPasswordAsked && <ConfirmPassword />}
        {drawer && <RailDrawer onClose={() => setDrawer(false)} />}
      </Suspense>
      <WindowDrop />
      <FinishedToasts />
      <HintLayer />
    </div>
  );
}

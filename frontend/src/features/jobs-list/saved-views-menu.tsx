import '@mantine/core/styles/Popover.layer.css';
import { ActionIcon, Popover } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { JobsView } from './jobs-view.ts';
import styles from './saved-views.module.css';

const SavedViewsPanel = lazy(async () => ({ default: (await import('./saved-views-panel.tsx')).SavedViewsPanel }));

/** The views that this browser keeps, and a place to save the one at hand. */
export function SavedViewsMenu({ view }: { view: JobsView }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={320}
      offset={6}
      trapFocus
      returnFocus
      transitionProps={{ duration: 100 }}
    >
      <Popover.Target>
        <ActionIcon
          variant="default"
          className={styles.target ?? ''}
          aria-label="Saved views"
          data-hint={opened ? undefined : 'Saved views'}
          onClick={() => setOpened(!opened)}
        >
          <IconBookmark size={16} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={styles.panel ?? ''} aria-label="Saved views">
        <Suspense>{opened && <SavedViewsPanel view={view} onClose={() => setOpened(false)} />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

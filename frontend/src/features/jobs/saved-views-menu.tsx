import { ActionIcon } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useState } from 'react';
import { lazy } from '../../ui/lazy.ts';
import { Popup } from '../../ui/popup.tsx';
import type { JobsView } from './jobs-view.ts';
import styles from './saved-views.module.css';

const SavedViewsPanel = lazy(async () => ({ default: (await import('./saved-views-panel.tsx')).SavedViewsPanel }));

/** The views that the account or this browser keeps, and a place to save the one at hand. */
export function SavedViewsMenu({ view }: { view: JobsView }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      label="Saved views"
      width={320}
      opened={opened}
      onChange={setOpened}
      button={
        <ActionIcon
          variant="default"
          size={38}
          className={styles.target ?? ''}
          aria-label="Saved views"
          data-hint={opened ? undefined : 'Saved views'}
          onClick={() => setOpened(!opened)}
        >
          <IconBookmark size={16} stroke={1.75} />
        </ActionIcon>
      }
    >
      <SavedViewsPanel view={view} onClose={() => setOpened(false)} />
    </Popup>
  );
}

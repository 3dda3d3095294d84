import { ActionIcon } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Popup } from '../popup.tsx';
import styles from './saved-searches.module.css';

/** A button beside a search box that opens what is kept of that list. */
export function SavedSearchesMenu(props: {
  label: string;
  /** Draws the eye to it, in words. */
  news?: string | undefined;
  children: (close: () => void) => ReactNode;
}) {
  const { label, news, children } = props;
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      label={label}
      width={360}
      opened={opened}
      onChange={setOpened}
      button={
        <ActionIcon
          variant="default"
          size={38}
          className={styles.target ?? ''}
          aria-label={news === undefined ? label : `${label}: ${news}`}
          data-hint={opened ? undefined : (news ?? label)}
          onClick={() => setOpened(!opened)}
        >
          <IconBookmark size={16} stroke={1.75} />
          {news !== undefined && <span className={styles.dot} />}
        </ActionIcon>
      }
    >
      {children(() => setOpened(false))}
    </Popup>
  );
}

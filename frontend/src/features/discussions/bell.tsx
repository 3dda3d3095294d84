import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unreadQuery } from '../../api/discussions.ts';
import { counted } from '../../ui/format.ts';
import { lazy } from '../../ui/lazy.ts';
import { Popup } from '../../ui/popup.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import styles from './bell.module.css';

const BellPanel = lazy(async () => ({ default: (await import('./bell-panel.tsx')).BellPanel }));

/** How many notifications wait, and the newest of them; the key n opens it. */
export function Bell() {
  const [open, setOpen] = useState(false);
  const { data: unread = 0 } = useQuery(unreadQuery);
  useKeys({ n: () => setOpen(true) });
  return (
    <Popup
      label="Notifications"
      width={400}
      opened={open}
      onChange={setOpen}
      button={
        <ActionIcon
          className={styles.bell}
          aria-label={unread > 0 ? `Notifications, ${counted(unread, 'unread', 'unread')}` : 'Notifications'}
          aria-keyshortcuts="n"
          data-hint={open ? undefined : 'Notifications (n)'}
          onClick={() => setOpen(!open)}
        >
          <IconBell size={18} stroke={1.75} />
          {unread > 0 && <span className={styles.unread}>{unread > 99 ? '99+' : unread}</span>}
        </ActionIcon>
      }
    >
      <BellPanel unread={unread} onClose={() => setOpen(false)} />
    </Popup>
  );
}

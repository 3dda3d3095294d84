import '@mantine/core/styles/Popover.layer.css';
import { ActionIcon, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { unreadQuery } from '../api/discussions.ts';
import { counted } from '../ui/format.ts';
import { useKeys } from '../ui/use-keys.ts';
import styles from './bell.module.css';

const BellPanel = lazy(async () => ({ default: (await import('./bell-panel.tsx')).BellPanel }));

/** How many notifications wait, and the newest of them; the key b opens it. */
export function Bell() {
  const [open, setOpen] = useState(false);
  const { data: unread = 0 } = useQuery(unreadQuery);
  useKeys({ b: () => setOpen(true) });
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={400}
      offset={6}
      trapFocus
      returnFocus
      transitionProps={{ duration: 100 }}
    >
      <Popover.Target>
        <ActionIcon
          className={styles.bell}
          aria-label={unread > 0 ? `Notifications, ${counted(unread, 'unread', 'unread')}` : 'Notifications'}
          aria-keyshortcuts="b"
          data-hint={open ? undefined : 'Notifications (b)'}
          onClick={() => setOpen(!open)}
        >
          <IconBell size={18} stroke={1.75} />
          {unread > 0 && <span className={styles.unread}>{unread > 99 ? '99+' : unread}</span>}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={styles.panel ?? ''} aria-label="Notifications">
        <Suspense>{open && <BellPanel unread={unread} onClose={() => setOpen(false)} />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

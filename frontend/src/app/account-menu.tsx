import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import type { Me } from '@svc/contracts';
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSignOut } from '../api/session.ts';
import { paths } from '../paths.ts';
import { sentence } from '../ui/format.ts';
import styles from './account-menu.module.css';

const schemes = [
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'light', label: 'Light', icon: IconSun },
] as const;

/** Who is signed in, the theme, and the way out. */
export function AccountMenu({ me }: { me: Me }) {
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const name = me.display_name ?? me.email;
  return (
    <Menu position="bottom-end" width={240} transitionProps={{ duration: 100 }} offset={6}>
      <Menu.Target>
        <UnstyledButton className={styles.avatar} aria-label={`Account of ${name}`}>
          {initials(name)}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu ?? ''}>
        <div className={styles.who}>
          <div className="cut">{name}</div>
          {me.display_name !== null && <div className="cut soft">{me.email}</div>}
          <div className="faint">{sentence(me.role)}</div>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconUserCircle size={16} stroke={1.75} />}
          renderRoot={(props) => <Link to={paths.account} {...props} />}
        >
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} stroke={1.75} />}
            rightSection={colorScheme === value ? <IconCheck size={14} aria-label="in use" /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.75} />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function initials(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter(Boolean);
  return ((words[0]?.[0] ?? '?') + (name.includes('@') ? '' : (words[1]?.[0] ?? ''))).toUpperCase();
}

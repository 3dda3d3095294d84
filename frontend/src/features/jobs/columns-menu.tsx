import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { ActionIcon, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { columnOf, type ColumnKey } from './columns.ts';
import styles from './jobs-page.module.css';

interface ColumnsMenuProps {
  readonly offered: readonly ColumnKey[];
  readonly shown: readonly ColumnKey[];
  /** Null goes back to as many as fit. */
  readonly onChange: (chosen: ColumnKey[] | null) => void;
}

/** Which columns there are. */
export function ColumnsMenu({ offered, shown, onChange }: ColumnsMenuProps) {
  const toggle = (key: ColumnKey) =>
    onChange(offered.filter((other) => (other === key ? !shown.includes(key) : shown.includes(other))));
  return (
    <Menu position="bottom-end" width={200} offset={6} closeOnItemClick={false} transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <ActionIcon variant="default" aria-label="Columns" data-hint="Columns">
          <IconColumns3 size={16} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu ?? ''}>
        {offered.map((key) => (
          <Menu.CheckboxItem
            key={key}
            checked={shown.includes(key)}
            disabled={columnOf(key).rank === 0}
            onChange={() => toggle(key)}
          >
            <span data-hint={columnOf(key).hint}>{columnOf(key).label}</span>
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onChange(null)}>As many as fit</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

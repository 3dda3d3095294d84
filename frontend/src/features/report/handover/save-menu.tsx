import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload, type IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { Notice, reasonOf } from '../../../ui/states.tsx';

/** One form in which a report leaves the page: fetched from the service, or made here. */
export type SavedForm = {
  readonly text: string;
  readonly icon: ComponentType<IconProps>;
} & ({ readonly href: string; readonly fileName: string } | { readonly onSave: () => void });

interface SaveMenuProps {
  readonly forms: readonly SavedForm[];
  /** One of them is being made. */
  readonly pending: boolean;
  /** Why the last could not be made. */
  readonly error: Error | null;
}

/** The forms in which a report can be taken along. */
export function SaveMenu({ forms, pending, error }: SaveMenuProps) {
  return (
    <>
      {error !== null && <Notice tone="bad">{reasonOf(error)}</Notice>}
      <Menu position="bottom-end" width={240} offset={6} transitionProps={{ duration: 100 }}>
        <Menu.Target>
          <Button
            variant="default"
            loading={pending}
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
            rightSection={<IconChevronDown size={14} stroke={2} aria-hidden="true" />}
          >
            Save
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {forms.map((form) => {
            const icon = <form.icon size={16} stroke={1.75} aria-hidden="true" />;
            return 'href' in form ? (
              <Menu.Item key={form.text} component="a" href={form.href} download={form.fileName} leftSection={icon}>
                {form.text}
              </Menu.Item>
            ) : (
              <Menu.Item key={form.text} leftSection={icon} onClick={form.onSave}>
                {form.text}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

import '@mantine/core/styles/Popover.layer.css';
import { Popover, type PopoverProps } from '@mantine/core';
import { Suspense, type ReactElement, type ReactNode } from 'react';
import styles from './popup.module.css';

interface PopupProps extends Pick<PopoverProps, 'position' | 'width'> {
  readonly label: string;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
  /** The button that opens and closes it. */
  readonly button: ReactElement;
  /** Drawn while it is open; may be loaded then. */
  readonly children: ReactNode;
}

/** A small dialog at its button; the focus stays in it and goes back to the button. */
export function Popup({ label, opened, button, children, position = 'bottom-end', ...rest }: PopupProps) {
  return (
    <Popover
      opened={opened}
      position={position}
      offset={6}
      trapFocus
      returnFocus
      transitionProps={{ duration: 100 }}
      {...rest}
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown className={styles.popup ?? ''} aria-label={label}>
        <Suspense>{opened && children}</Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

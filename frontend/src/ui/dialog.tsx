import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

/** A question over the page. One that is `held` is closed by its own buttons alone. */
export function Dialog(props: { title: string; held?: boolean; onClose: () => void; children: ReactNode }) {
  const { title, held = false, onClose, children } = props;
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={520}
      yOffset="10vh"
      withCloseButton={!held}
      closeOnClickOutside={!held}
      closeOnEscape={!held}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 100, transition: 'fade' }}
      // A second banner would compete with the page's own.
      attributes={{ header: { role: 'presentation' } }}
      classNames={{
        content: styles.content ?? '',
        header: styles.header ?? '',
        title: styles.title ?? '',
        body: styles.body ?? '',
      }}
    >
      {children}
    </Modal>
  );
}

import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import { Drawer } from '@mantine/core';
import { Rail } from './rail.tsx';

/** The rail on narrow screens. */
export function RailDrawer({ onClose }: { onClose: () => void }) {
  return (
    <Drawer
      opened
      onClose={onClose}
      size={240}
      padding={0}
      withCloseButton={false}
      transitionProps={{ duration: 120 }}
      title="Menu"
      // A second banner would compete with the page's own.
      attributes={{ header: { role: 'presentation' } }}
      classNames={{ header: 'sr-only' }}
      styles={{ body: { height: '100%' } }}
    >
      <Rail onNavigate={onClose} />
    </Drawer>
  );
}

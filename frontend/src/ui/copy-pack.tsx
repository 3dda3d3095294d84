import { Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { copyText } from './copy-button.tsx';

/** Copies a small document, made for chats and other programs, once it is asked for. */
export function CopyPack({ read }: { read: () => Promise<object> }) {
  const copy = useMutation({ mutationFn: async () => copyText(JSON.stringify(await read(), null, 2)) });
  return (
    <Menu.Item closeMenuOnClick={false} onClick={() => copy.mutate()}>
      {copy.isSuccess ? 'Copied' : copy.isError ? 'It could not be copied' : 'Copy as IOC pack'}
    </Menu.Item>
  );
}

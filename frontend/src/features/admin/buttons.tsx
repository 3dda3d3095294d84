import { Button } from '@mantine/core';

/** The answer to a dialog's question, and the way back. */
export function Buttons(props: { words: string; pending: boolean; onClose: () => void; dangerous?: boolean }) {
  const { words, pending, onClose, dangerous = false } = props;
  return (
    <>
      <Button type="submit" loading={pending} {...(dangerous && { color: 'red.9' })}>
        {words}
      </Button>
      <Button variant="default" onClick={onClose} {...(dangerous && { 'data-autofocus': true })}>
        Cancel
      </Button>
    </>
  );
}
